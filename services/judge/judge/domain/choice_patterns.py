"""Regular expressions for the wording around option letters, such as statements, negations and hedges."""

import re

WRAP = "\\s*_`<(\\[{\"'“”‘’.:;,!)\\]}>$#✅✔✓☑👉🎯🎉👍😊🙂-"
OPEN = r"[\s*_`(\[{\"'“‘<$【「『]*"
CLOSE = r"[*_`)\]}\"'”’>$】」』]*"
# Next to one of these characters, an option letter is part of a word. Chinese and Japanese ones are not here: "Bです".
LATIN = "A-Za-z0-9_\u00c0-\u024f\u0370-\u04ff"
FILLER = re.compile(
    r"\s*(?:(?:most likely|most probably|likely|probably|definitely|clearly|certainly|obviously|therefore|"
    r"thus|then|simply|"
    r"actually|indeed|in fact|both|only|just|the|an|option|options|choice|choices|letter|letters|answer|answers|"
    r"number|statement|a letra|a opção|a alternativa|la|le|el|il|die|der|das|opción|opzione|opção|lettre|letra|"
    r"réponse|respuesta|Antwort|risposta|resposta|"
    r"statements|option:|选项|是|为|：|:|=|-|→|of course|i think|i believe)(?=[\s(\[{*_\"':$A-Z])\s*){0,6}",
    re.IGNORECASE,
)
HEDGES = re.compile(r"\s*(?:either|one of|between|perhaps either|maybe either|could be either)\b", re.IGNORECASE)
JOINT_AND = re.compile(
    rf"{CLOSE}\s*(?:,\s*and|,|;|and|&|\+|/|、|和|与|及|と|und|et|y)\s*(?:also\s+|option\s+)?", re.IGNORECASE
)
JOINT_OR = re.compile(
    rf"{CLOSE}\s*[,(]?\s*(?:or|oder|ou|或|或者|还是|and/or|/)\s*(?:else\s+)?(?:maybe|perhaps|possibly|even|"
    rf"option|also|rather)?"
    r"\s*",
    re.IGNORECASE,
)
NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|never|neither|nor|cannot|(?:do not|don't|don’t|wouldn't) (?:think|believe|say|guess)(?: that)?|doubt(?: that)?|(?:not|n't|n’t) sure(?: that| if| whether)?|without|except|excluding|eliminate|eliminated|rule out|"
    r"ruled out|reject|nicht|pas)|"
    r"n't|n’t|不是|不选|不|非)\s*(?:be|to|the|option|choice|answer|choose|pick|select|go (?:with|for)|just|only)?\s*"
    r"(?:the |option |choice |answer )?[\s(*\"'\[]*\Z",
    re.IGNORECASE,
)
NEGATED_START = re.compile(
    r"\s*(?:not\b|n't|n’t|never\b|neither\b|nicht\b|pas\b|不是|不|非|none\b|anything but\b)", re.IGNORECASE
)
BUT = re.compile(
    r"(?<!\w)(?:but(?: rather)?|rather|instead(?: it'?s| it is)?|sondern|mais|sino)(?!\w)|而是", re.IGNORECASE
)
_RIGHT = (
    r"(?:correct|right|true|accurate|valid|the (?:only |most |best |most likely |"
    r"single )?(?:(?!(?:wrong|incorrect|false|worst|worse|bad|other|least|unlikely)\b)\w+ )?(?:answer|option|choice|one|"
    r"solution|response|match|candidate)|my (?:final )?(?:answer|choice)|best|richtig|korrekt|correcte?|"
    r"correcta|corretta|正确|对的|正解|(?:the )?(?:most|more) (?:likely|plausible|probable|appropriate|accurate|suitable))"
)
PREDICATE = re.compile(
    r"\s*(?:选项|選項)?(?:\([^()\n]{0,80}\)|[-–—:,]\s(?!(?-i:\W?[A-Z]\b))[^.\n,]{1,80}?,?)?\s*(?P<be>is|are|seems|looks|appears|must be|"
    r"would be|has to be|should be|"
    r"ist|sind|est|es|è|são|是)\s*(?P<no>not\b|n't|n’t|never\b|nicht\b|不)?\s*(?:(?:also|indeed|definitely|"
    r"clearly|therefore|"
    r"thus|probably|likely|most likely|both|all|to be|certainly|obviously|in fact|then|hence|actually)\s+)*"
    rf"(?P<what>{_RIGHT}|(?:an? |the )?(?:wrong|incorrect|false|worst|bad)\b|not\b|ruled out|eliminated|impossible|"
    r"falsch|fausse?|错)",
    re.IGNORECASE,
)
PLURAL = ("are", "sind", "sont", "son", "são")
WRONG = re.compile(
    r"(?:an? |the )?(?:wrong|incorrect|false|worst|bad)\b|not|ruled out|eliminated|impossible|falsch|fausse?|错",
    re.IGNORECASE,
)
ALSO = re.compile(r"\b(?:also|too|as well|both|and so)\b", re.IGNORECASE)
STRONG = re.compile(
    r"(?:\b(?:correct|right|best|true|appropriate|accurate|suitable|final)\s+(?:answer|option|choice|"
    r"alternative|response|"
    r"statement|selection|one)s?(?!\w)[^.\n:?]{0,60}?(?:\b(?:is|are|would be|must be|should be|has to be)\b|:|=)"
    r"|\b(?:option|choice|selection)\s*(?:is\b|:)"
    r"|\bI(?:'d|’d| would| will|'ll|’ll|'m|’m| am)?\s+(?:(?:therefore|would|will|hence|then|thus|going to)\s+)?"
    r"(?:choose|chose|pick|picked|select|selected|go(?:ing)? (?:with|for)|say|vote for|opt for|answer)\b"
    r"|\bI (?:actually )?meant?\b"
    r"|\b(?:richtig|korrekt|correct) (?:ist|is|are|sind)\b|正确(?:的)?(?:选项)?(?:是|为)|答案(?=不是)"
    r"|\b(?:we|let'?s|you should|should)\s+(?:choose|pick|select|go (?:with|for))\b"
    r"|\bmy (?:final )?(?:choice|pick|guess|answer|selection)\s*(?:is\b|would be\b|:)"
    r"|\b(?:ich (?:wähle|nehme)|je (?:choisis|prends)|elijo|escojo|scelgo|escolho|ik kies|wybieram)\b"
    r"|\b(?:opción|opzione|opção|alternativa|lettre|option)\s(?:correcta|corretta|correta|correcte)\s(?:es|è|é|est)\b"
    r"|故选|应选择?|應選擇?|应该选择?|选择|選擇|我选择?|我選|选|選|정답은|正解は)",
    re.IGNORECASE,
)
SO = re.compile(
    r"(?:(?<!\w)(?:so|therefore|thus|hence|ergo|also|somit|donc)|=>|→|⇒|∴|所以|因此)[\s,:]{0,4}(?:it'?s |"
    r"it is |it must be |that'?s |we get )?",
    re.IGNORECASE,
)
IT = re.compile(
    r"(?<!\w)(?:it'?s|it’s|c['’]est|es la|es ist|é a|è la|it is|that'?s|that is|must be|has to be|would be|should be|could be|might be|"
    r"may be|can be|i think|"
    r"i believe|i guess|i'd guess|probably|maybe|perhaps|likely|definitely|possibly|presumably|leaves?(?: us with)?|left with|"
    r"this is|this (?:matches|corresponds to)|guess:?)\s",
    re.IGNORECASE,
)
UNSURE = re.compile(r"could|might|may|maybe|perhaps|possibly|can be", re.IGNORECASE)
STARTS_NEGATED = re.compile(
    r"(?:\A|[.!?\n])[\s*_]{0,4}(?:it(?:'s|’s| is)\s)?(?=(?:not|nicht|pas|不是)(?!\w))", re.IGNORECASE
)
ENDS_BUT = re.compile(
    r"(?<!\w)but\s(?P<rather>(?:more|most) (?:likely|probably)\s|rather\s|probably\s)?", re.IGNORECASE
)
THEN_IS = re.compile(r"(?:[,;.]|\bbut)\s(?:but\s)?([A-Z])\s(?:is|ist|est)[.!\s]*(?:\Z|\n)")
FIGURE = re.compile(
    r"\b(?:out of(?: options)?|among|figure|table|appendix|section|part|group|type|graph|diagram|column)\s\Z",
    re.IGNORECASE,
)
REJECTS = re.compile(r"(?:(?:no|nope|sorry|hmm+|actually|rather|I mean)\b[\s,.:;–—-]{0,4}){1,4}", re.IGNORECASE)
ALL_BUT = re.compile(
    r"\b(?:all|every|each|everything|any)\b[^.!?\n]{0,40}?\b(?:except|but|other than|besides)\s(?:for\s)?(?:option\s)?\W{0,2}([A-Z])\b\W{0,2}"
    r"\s?(?:is|are)\s(?:wrong|incorrect|false)\b",
    re.IGNORECASE,
)
ENDS_SENTENCE = re.compile(r"[\s*_)\]\"'”]{0,8}(?:[.!](?:\s|\Z)|\n|\Z)")
ALSO_NAMED = re.compile(r"\s*(?:,\s*and\b|,|;|\band\b|&|\+|、|和)\s*(?:the\s)?", re.IGNORECASE)
IS_WHAT = re.compile(
    r"[)*\s]{1,3}(?:is|are)\s(?:(?:both|all|also|a|an)\s){0,2}([^\W\d_]{2,30})"
    r"(?=\s?[.,;!\n]|\s?\Z|\s(?:and|but|while|whereas)\s)",
    re.IGNORECASE,
)
FITS = re.compile(
    r"[)*\s]{1,3}(?:it is(?=[.!\s]*\Z)|(?:fits|matches|works) (?:best|the (?:question|description|definition))|makes (?:the )?(?:most )?sense|"
    r"remains\b|applies\b|is (?:a |the )?(?:better|more (?:likely|plausible|probable|accurate))\b|is (?:the )?(?:only )?(?:one )?(?:plausible|possible|left)\b)"
    r"|(?:が正解|(?:选项|選項)是?(?:正确|正確))",
    re.IGNORECASE,
)
AFTERTHOUGHT = re.compile(
    r",?\s(?:I (?:think|guess|believe|suppose|would say)|I['’]d (?:say|guess)|probably|obviously|of course|for sure|"
    r"definitely)[.!\s]*\Z",
    re.IGNORECASE,
)
NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERED_OPTION = re.compile(r"(?:option|choice)\s#?(\d{1,2})\W*", re.IGNORECASE)
INSTEAD_OF = re.compile(r",?\s(?:instead of|rather than|over|(?:(?:and|but)\s)?not)\s\W?[A-Z]\W{0,3}\Z")
NTH_OPTION = re.compile(
    rf"(?:(?:the |my )?(?:correct |right |best )?answer is |I(?:'d| would)? (?:choose|pick|say) |it'?s )?(?:the )?"
    rf"({'|'.join(NTH)}|last|[1-9](?:st|nd|rd|th)) (?:option|choice|answer|one)\W*",
    re.IGNORECASE,
)
JUDGED_LINE = re.compile(
    r"^[ \t*_`>#|-]{0,8}[(\[]?([A-Z])(?:[)\].:][)\].:*]{0,3}|(?=[ \t]{0,8}\|)|[ \t][–—-](?=[ \t])|(?=[ \t][✓✔✅☑✗✘❌✖]))[^\n]{0,200}?"
    r"(?:(?P<yes>[✓✔✅☑]|(?<!\w)(?:yes|correct|right|true))|(?P<no>[✗✘❌✖]|(?<!\w)(?:no|wrong|incorrect|false|not correct)))"
    r"[*_.!)\]| \t\ufe0f]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
TICKED = re.compile(r"(?<!\w)([A-Z])[)\].:]?\s?(?:(?P<yes>[✓✔✅☑])|(?P<no>[✗✘❌✖]))")
WHOLE_LINE = re.compile(r"[\s*_`>#•-]{0,8}[(\[]?([A-Z])(?:[)\].:]\s[^\n]*|[)\].:*_\s]*)")
REASONED = re.compile(r"\W{0,3}([A-Z])\W{0,3}\s(?:because|since|weil|denn|car|parce que|porque|perché)\b")
ARE = re.compile(r"(?<!\w)(?:are|include):?\s(?=\W{0,3}(?:both\s\W{0,3})?[A-Z]\b)")
ACTUALLY = re.compile(r"(?<!\w)actually[,:]?\s", re.IGNORECASE)
SAYS_WRONG = re.compile(
    r"\b(?:wrong|incorrect|false|not|n['’]t|never|eliminated|ruled out|remaining|other|others|options|choices)\b",
    re.IGNORECASE,
)
IS_NOT = re.compile(
    r"\?\s(?:no|nope|wrong|nein|non)\b|"
    r"[\"'”*)]{0,4}\s(?:(?:is|are|was|does|do|did|can|would)(?:\s?not\b|n['’]t\b)|"
    r"(?:is|are) (?:wrong|incorrect|false)\b|cannot\b)",
    re.IGNORECASE,
)
ASKS_FOR_WRONG = re.compile(
    r"\b(?:not|except|false|incorrect|wrong|least|untrue|never|cannot|isn't|doesn't)\b", re.IGNORECASE
)
SINCE_SO = re.compile(
    r"(?<!\w)(?:so|therefore|thus|hence|consequently|which means|answer is|answer:)(?!\w)|所以|因此|答案", re.IGNORECASE
)
CLAUSE = re.compile(r",?\s(?:and|but|while|whereas|not)\s|;\s|,\s(?:unlike|which)\s", re.IGNORECASE)
LINE_CHOICE = re.compile(r"^[\s*_`>#-]{0,8}[(\[]?([A-Z]|[a-z](?=\)))[)\].:](?=\s|$|\*|_)[*_]*", re.MULTILINE)
CALLED_WRONG = re.compile(
    r"\b(?:wrong|incorrect|false)(?:\s(?:answer|option|choice))?[\s*_]{0,4}:[\s*_(]{1,4}[A-Z][).!*_\s]*\Z",
    re.IGNORECASE,
)
IS_LETTER = re.compile(
    r"(?<!\w)(?:is|are|must be|would be|should be)\s(?:(?:option|choice)\s)?[(*\"']{0,3}([A-Z])[)*\"']{0,3}"
    r"(?=[.!\s]*(?:\Z|\n)|[.;]\s|\s\([^()\n]{2,80}\)|,\s(?:not|although|though|because|since|while|but)\b)"
)
LABEL_IN_LINE = re.compile(r"(?<![\w'’])[(\[]?([A-Z])[)\].:]{1,2}\s")
AFTER_WORD = re.compile(r"[ \t]+([A-Za-z]+)")
GOES_WITH_A = set(
    "is are because since and or as seems looks was would must has should which but not if for ist est".split()
)
SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[。！？])")
CONCLUDES = re.compile(
    r"(?<!\w)(?:so|therefore|thus|hence|answer|consequently|in conclusion|conclusion|correct|must be|"
    r"right|leaves|remains)(?!\w)|所以|因此|答案",
    re.IGNORECASE,
)
TEXT_NOT = re.compile(
    r"(?:\b(?:not|never|neither|nor|isn't|rather than|instead of|unlike|except|nicht)|n't|n’t|"
    r"不是)\s+(?:(?!(?:but|sondern|mais|sino|rather)\b)\w+\s){0,2}?[\"'“*(]*\Z",
    re.IGNORECASE,
)
ENDS_THERE = re.compile(r"[\"'”*]*(?:[.!;]|,\s(?:because|since|as|not|which)|\s?\n|\s[-–—]\s|\sbecause\b)")
MARKUP = re.compile(r"\*\*|__|`|\\(?:text\w{0,4}|math\w{1,4}|mbox)\s?(?=\{)|\$|\\[()\[\]]")
ALL_ABOVE = re.compile(r"all (?:of )?(?:the above|these|them|of the options)\W*", re.IGNORECASE)
BOTH = re.compile(r"(?:both )?\(?[A-Z]\)?(?:,\s\(?[A-Z]\)?){0,8},? (?:and|&) \(?[A-Z]\)?(?: only)?\W*", re.IGNORECASE)
BRACKETED_TEXT = re.compile(r"(?<=\b[A-Z])\s\((?:[^()\n]{2,80}|\d)\)|(?<=[A-Z]\))\s\([^()\n]{2,80}\)")
DENIED_REST = re.compile(
    r",?\s(?:(?:and|but)\s)?(?:not|nicht|pas)\s(?:option\s)?\(?[A-Z]\)?(?:(?:,|,?\s(?:and|or|nor))\s\(?[A-Z]\)?){0,8}[.!\s]*\Z"
)
LABELLED = re.compile(
    r"[\s*_#>]{0,6}(?:(?:the|my|die|la|le|el)\s)?(?:(?:final|correct|right|best|richtige|bonne)\s)?"
    r"(?:answers?|options?|choices?|letters?|antwort(?:en)?|réponses?|respuestas?|risposta|resposta|opción|opzione|"
    r"opção|option|选项|選択肢|答案)[\s*_]{0,3}(?:[:=：–-]\s?)?(?=\W{0,3}[A-Za-z]\b(?!['’]))",
    re.IGNORECASE,
)
