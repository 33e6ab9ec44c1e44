"""Ask one question of up to four models. Such a question is a small run, so it is stored, paid and limited as one."""
