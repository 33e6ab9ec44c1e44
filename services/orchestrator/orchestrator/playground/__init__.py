"""Ask one question of up to four models. The question is a small run: it is stored and limited in its cost like any
run."""
