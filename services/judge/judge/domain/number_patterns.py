"""Regular expressions for the wording around numbers, such as conclusions, explanations and conjunctions."""

import re

LAST_OF_CALCULATION = re.compile(r"[=≈]\s*[^\d\n=≈]{0,12}\Z")
OR = re.compile(r"(?<!\w)(?:or|oder|ou|o|или|或|或者|还是|または|もしくは|versus|vs)(?!\w)", re.IGNORECASE)
OR_SO = re.compile(r"\bor (?:so|thereabouts|more|less|fewer|rather)\b", re.IGNORECASE)
COPULA = re.compile(
    r"(?<!\w)(?:is|are|was|were|be|been|equals?|makes?|made|gives?|gave|gets?|got|earns?|earned|totals?|"
    r"totall?ed|costs?|"
    r"comes? (?:out )?to|becomes?|leaves?|yields?|amounts? to|adds? up to|ist|sind|beträgt|ergibt|est|es|è|"
    r"é|son|sont|"
    r"sono|是|为|為|等于|有)(?!\w)|[:：=≈→]|=>|->",
    re.IGNORECASE,
)
REASONS = re.compile(
    r"[,;(]?\s(?:because|since|given that|as (?:he|she|it|they|there|we|the)|if|when|where|which (?:is|means)|after|"
    r"assuming|considering|weil|denn|parce que|porque|compared (?:to|with)|e\.g\.|for example,|unlike|as opposed to|in contrast to|than|up from|down from)\s|"
    r"(?<=[^\d\s)])\s-\s(?=[^\d\s($])|;\s",
    re.IGNORECASE,
)
SO = re.compile(
    r"(?:^|[,;]\s|\.\s|\s)(?:so|thus|therefore|hence|which makes|making|for a total of|giving|leaving|resulting in|"
    r"=>|→|∴|also|somit|donc|por lo tanto|所以|因此)(?=[\s,:])"
    r"|[,;:]\s(?:in total|altogether|in all|au total|en tout|en total|insgesamt|zusammen|in totale)(?=[\s,:])",
    re.IGNORECASE,
)
CONCLUDES = re.compile(
    r"(?:^|[\s,*#>])(?:so|thus|therefore|hence|in total|total|totals|altogether|in all|finally|overall|in conclusion|"
    r"to conclude|in sum|conclusion|result|final|consequently|it follows|that means|this means|we get|"
    r"we have|in the end|"
    r"all in all|together|combined|answer|somit|insgesamt|also|zusammen|ergebnis|donc|au total|ainsi|"
    r"por lo tanto|en total|"
    r"entonces|total de|quindi|in totale|portanto|итого|всего|итак|следовательно)(?!\w)|∴|⇒|所以|因此|总共|一共|共有|"
    r"合計|したがって|よって|따라서",
    re.IGNORECASE,
)
EXPLAINS = re.compile(
    r"^\W*(?:to (?:check|verify|see|double|confirm)|check\b|verification|because\b(?!.*,)|since\b(?!.*,)|"
    r"explanation|reason(?:ing)?\b|note\b|"
    r"proof|here'?s (?:why|how)|this is because|that'?s because|(?:for )?(?:example|instance|comparison|"
    r"reference)|half of|"
    r"in other words|by the way|remember|recall|let'?s (?:check|verify)|working|steps?\b|calculation|first\b|given\b|"
    r"originally|initially|we know|the question|why\b|details?\b|breakdown\b|explained\b|source\b|"
    r"as a (?:check|comparison))",
    re.IGNORECASE,
)
ASIDE = re.compile(r"\s*\([^()]*\)[\s.]*")
ADVERBIAL = re.compile(
    r"(?:\b(?:over|in|within|after|for|per|every|each|from|of|with|on|during|by|at|before|until|since|than|"
    r"step|day|week|"
    r"question|problem|case|chapter|page|figure|table|equation|version|level|grade|room|number|no\.|line|"
    r"part|example|"
    r"among|between|out of|section|item|year|round|another|other|these|those|all|both|only|next|last|first|past|than|"
    r"to (?:her|his|their|its|my|our|the)|model|type|group|phase|year|age|aged)|#|@|/|×|\*|\+|÷|(?<=\d)\sx)\s*(?:the|a|an|my|his|her|its|their|"
    r"our|those|these|"
    r"about|all|each|roughly|approximately|next|last|first|\$|another|other|just|only)?\s*\Z",
    re.IGNORECASE,
)
TOTAL_OF = re.compile(
    r"\b(?:total|sum|profit|average|mean|result|answer|amount|maximum|minimum|cost|price|value|area|number|count|"
    r"population|salary|difference|product|distance|length|age|speed|probability|length|balance|income|"
    r"ratio|percentage) "
    r"of (?:about |approximately |roughly |around |only |exactly )?\s*\Z",
    re.IGNORECASE,
)
WORD_BEFORE = re.compile(r"([A-Za-z]{2,25})\s\Z")
LABEL = re.compile(
    r"(?:total|answer|result|sum|in|on|at|by|of|only|just|about|the|final|all|altogether|together|combined|so|thus|then|and|"
    r"[A-Z]{2,4}|january|february|march|april|may|june|july|august|september|october|november|december)",
    re.IGNORECASE,
)
GOES_ON_AS_SUBJECT = re.compile(r"\s(?:is|was|has|had|were|will|[a-z]{2,}ed)\s")
BEFORE_OPERATOR = re.compile(
    r"\A\s?(?:[+×*÷]|/\s?[\d(]|-\s|x\s\d|-\d|\^|times\b|plus\b|minus\b|divided\b|multiplied\b|−)"
)
AFTER_OPERATOR = re.compile(r"(?:[+×*÷/^]|(?<=[\w)\s])-|\bx|\btimes|\bplus|\bminus|\bby)\s?\(?\s?[$€£]?\Z")
ABOUT = re.compile(
    r"\A(?:\W|_|\b(?:about|approximately|approx|around|roughly|circa|ca|nearly|almost|exactly|just|only|"
    r"it'?s|it is|they are|"
    r"i think|i believe|there are|there is|that'?s|that is|is|are|equals|sure|ok(?:ay)?|yes|etwa|ungefähr|"
    r"environ|unos|"
    r"the|a|an|total|x|y|n|answer|约|大约|约为|共|是|有|usd|eur|us)\b)*\Z",
    re.IGNORECASE,
)
SENTENCE = re.compile(
    r"\n+|(?<=[.!?])(?<!\be\.g\.)(?<!\bvs\.)(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\bapprox\.)[\"')\]*]{0,3}\s+(?=[^\s\d.,=≈]|\d)|(?<=[！？])"
)
ENUMERATOR = re.compile(r"^\s*(?:\(?\d{1,2}[.)]|[-•*+])\s+(?=\S)")
HEADING = re.compile(r"\s*\d{1,2}[.):]\s+[^\W\d]")
LIST_JOINT = re.compile(
    r"\A[\s\"'\])]*(?:(?:,|;|\b(?:and|or|und|oder|et|ou|y|o|e)\b)\s{0,3}[a-zA-Z](?:_?\d)?\s{0,3}=|[,;/|&]|\band\b|,\s*and\b|\bund\b|\bet\b|\by\b|\be\b|和|与|\n)[\s\"'\[(]*\Z",
    re.IGNORECASE,
)
COMPOUND_JOINT = re.compile(r"\A\s*(?:,\s*)?(?:and\s*)?\Z", re.IGNORECASE)
RANGE_JOINT = re.compile(r"\A\s*(?:-|to|until|till|bis|à|a|hasta|至|到|~|and)\s*[$€£]?\Z", re.IGNORECASE)
BETWEEN = re.compile(r"\b(?:between|from|zwischen|von|entre|de|tra|从)\s*[$€£]?\Z", re.IGNORECASE)
CHANCE = re.compile(
    r"\b(?:probability|chances?|odds|likelihood|how likely|fraction|proportion|share|percentage|what percent)\b",
    re.IGNORECASE,
)
RESTATES = re.compile(
    r"[\s,;]*\(?\s*(?:≈|~|(?:or|i\.e\.,?|that is|which is)?\s*(?:about|approximately|roughly|approx\.?|around)\s)\s*",
    re.IGNORECASE,
)
FROM = re.compile(r"(?:,\s|\()(?:up |down )?from\s?[$€£]?\Z", re.IGNORECASE)
PLUS_MINUS = re.compile(r"(?<=[\w%°)])\s?±\s?\Z")
A_TIME = re.compile(r"\A\W{0,3}(?:a|per|each|every|/)\s?(hour|day|week|month|year|minute|second)", re.IGNORECASE)
ONLY_BOTH_SIGNS = re.compile(r"\W*(?:[a-zA-Z]\s?=\s?)?±\s?(?=\d)")
STILL_GOES_ON = re.compile(r"\b(?:remain(?:s|ing)?|left)\b", re.IGNORECASE)
BUT_REALLY = re.compile(r"(?:\b(?:would|could)\b|['’]d\b)[^.!?\n]{1,200},\sbut\s", re.IGNORECASE)
COUNTED = re.compile(r"\d\s[A-Za-z]{2,30}")
AND_CLAUSE = re.compile(r",?\s(?:and|while|whereas|but)\s(?!\W?\d)|;\s", re.IGNORECASE)
IN_HOW_MANY = re.compile(r"(?<![\w.,/])(\d{1,9})\s(?:in|out\sof)\s(\d{1,9})(?![\w/]|[.,]\d)", re.IGNORECASE)
ONLY_CHANCE = re.compile(r"\W*1 in \d{1,9}\W*")
CONFIRMS = re.compile(
    r"\b(?:yes|correct|confirm\w*|matches|holds|checks out|right|verified|consistent|indeed|fine|good)\b|✓|✅",
    re.IGNORECASE,
)
CONFIDENCE = re.compile(r"^\W*(?:my )?(?:confidence|certainty)\b|\d\s?%\s(?:sure|certain|confident)\b", re.IGNORECASE)
REFUSES = re.compile(
    r"\bI(?:['’]m| am) (?:unable|not able|sorry)\b"
    r"|\bI (?:can(?:no|['’])t|cannot|could(?: not|n['’]t)|do(?: not|n['’]t)) (?:have|know|determine|answer|access|provide|calculate)\b"
    r"|\bI have no (?:access|information|data|knowledge|way)\b"
    r"|\b(?:not|isn['’]t|aren['’]t|no|without) (?:enough|sufficient) (?:information|data|details?|context)\b"
    r"|\binsufficient (?:information|data)\b|\b(?:cannot|can['’]t|can not|impossible to) (?:be )?(?:determined?|answered|known?)\b",
    re.IGNORECASE,
)
STILL_ANSWERS = re.compile(
    r"\b(?:but|however|so|therefore|thus|hence|assuming|estimate|approximately|about|roughly)\b|=", re.IGNORECASE
)
WHEN = re.compile(
    r"\b(?:(?:which|what) (?:\w+ ){0,2}?(?:year|date|day|time)|when|what(?: is| was|'s) the date)\b", re.IGNORECASE
)
A_YEAR = re.compile(r"[12]\d{3}")
IN_A_YEAR = re.compile(r"(?:\A|[.!?]\s)\W{0,3}(?:in|by|since|as of|during|en|im jahr)\s\Z", re.IGNORECASE)
SUBORDINATE = re.compile(
    r"^\W{0,4}(?:since|because|as|if|when|given that|although|even though|considering that)\b(?!\s(?:of|for|to)\b)"
    r"[^,;:.!?\n]{3,200},\s",
    re.IGNORECASE,
)
BOUND = re.compile(
    r"(?<!no )(?<!not )\b(?P<more>(?:more|greater|larger|higher) than)\s[$€£]?\Z"
    r"|(?<!no )(?<!not )\b(?P<less>(?:less|fewer|smaller|lower) than)\s[$€£]?\Z"
    r"|(?<![\w\])}])[A-Za-z]\s?(?:(?P<above>>=?|≥)|(?P<below><=?|≤))\s?[$€£]?\Z",
    re.IGNORECASE,
)
NONE_OF_THEM = re.compile(
    r"\W*(?:(?:there (?:are|is|were|will be|would be)|(?:\w+ ){1,3}(?:has|have|had|gets?|keeps?)) no "
    r"(?P<noun>[^\W\d_]{3,30})\b[^.!?\n]{0,60}"
    r"|none(?! of (?:the above|these|those))\b[^.!?\n]{0,60}|no (?P<things>[^\W\d_]{3,30})\b[^.!?\n]{0,60})[.!\s*]*\Z",
    re.IGNORECASE,
)
BY_SPACES = re.compile(r"-?\d+(?:\.\d+)?(?:\s{1,3}-?\d+(?:\.\d+)?){2,200}", re.ASCII)
MAYBE = re.compile(r"\b(?:maybe|perhaps|possibly|vielleicht|peut-être|quizás?)\b", re.IGNORECASE)
