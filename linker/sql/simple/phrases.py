"""
The words that questions are built with: phrases by what they do, and words that say nothing by themselves.

They belong to the language and to no warehouse. A phrase is written in small letters; longer ones come first.
"""

from typing import Literal

from linker.words import stem

Role = Literal[
    "count", "average", "sum", "max", "min", "distinct", "much", "most", "least", "group", "order", "ascending",
    "descending", "top", "condition", "place", "named", "not", "or", "and", "both", "above", "at_least", "below",
    "at_most", "between", "equal", "after", "before", "ask", "common", "least_common", "ratio", "unknown",
    "alphabet", "compare", "like", "year_before", "idle", "median",
]  # fmt: skip

_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTED, start=1)}
_WRITTEN: dict[Role, str] = {
    "count": "how many | the total number of | total number of | the number of | number of | numbers of | the count of"
    " | count of | count the number of | count | the total count of | the amount of | how often | how many times",
    "average": "how many seconds do | how many seconds does | how many minutes do | how many minutes does"
    " | how many hours do | how many hours does | how many days do | how many days does | how long do | how long does"
    " | on average | the average | average | mean | avg | the mean",
    "median": "the median | median",
    "sum": "the total amount of | in total | total | the sum of | sum of | sum | altogether | summed",
    "least_common": "the least common | least common | the least popular | least popular",
    "max": "maximum | maximal | max",
    "min": "minimum | minimal | min",
    "distinct": "distinct | different | unique",
    "much": "how much money | how much | how long | how old | how large | what did we pay | what did we spend"
    " | what did we earn | what did we charge | what was paid | what was spent",
    "most": "the most number of | most number of | the highest number of | the largest number of | the greatest number"
    " of | the maximum number of | the most | most | highest | largest | biggest | greatest | top | best | most often"
    " | the most often | largest number of | highest number of",
    "common": "the most common | most common | the most popular | most popular | the most frequent | most frequent",
    "least": "the least number of | the lowest number of | the smallest number of | the fewest number of | the fewest"
    " | fewest | the least | least | lowest | smallest | the minimum number of",
    "group": "for each | for every | in each | of each | by each | from each | each | per | every | grouped by"
    " | group by | broken down by | split by | by kind of | by type of | one line per | separately for",
    "order": "sorted by | sort by | ordered by | order by | in order of | in the order of | order of | ranked by"
    " | in ascending order of | in descending order of | in descending order by | in ascending order by"
    " | sort the list by | sort them by | order the results by | sort the results by | arranged by",
    "ascending": "in ascending order | ascending | from youngest to oldest | from low to high | from lowest to highest"
    " | in increasing order | increasing",
    "descending": "in descending order | descending | from oldest to youngest | from high to low | decreasing"
    " | from highest to lowest | in decreasing order | in reverse order",
    "alphabet": "in alphabetical order of | in alphabetical order | alphabetically ordered by | alphabetically"
    " | alphabetical order | lexicographical order | in lexicographical order of | in lexicographic order",
    "condition": "whose | with | where | that | who | having | when | which",
    "place": "in | from | at | on | of | for | to | among | during | within | into | by | at the end of | by "
    "the end of | end of | the end of",
    "named": "named | called | titled | with name | with the name | with title | with the title",
    "not": "not | no | without | never | none | neither | nor | except | excluding | other than | apart from | cannot"
    " | don t | doesn t | didn t | isn t | aren t | n t | nobody | nothing",
    "idle": "or not | or no",
    "or": "or | either",
    "and": "and | as well as | along with | together with",
    "both": "both",
    "above": "more than | greater than | higher than | larger than | bigger than | over | above | exceeding | exceeds"
    " | longer than",
    "at_least": "at least | no less than | not less than | no fewer than | or more",
    "below": "less than | fewer than | lower than | smaller than | under | below | shorter than",
    "at_most": "at most | no more than | not more than | up to | or less | or fewer",
    "between": "between",
    "equal": "equal to | equals | exactly | is equal to",
    "after": "after | since | later than | newer than",
    "before": "before | earlier than | prior to",
    "ratio": "percentage | percent | share of | proportion | ratio | rate of | difference",
    "compare": "compared with | compared to | compare with | compare to | compare | versus | as against",
    "year_before": "the year before | year before | the previous year | previous year | a year earlier"
    " | the prior year | the preceding year",
    "like": "contain | contains | containing | start with | starts with | starting with | end with | ends with"
    " | ending with | include the | includes the | substring",
    "ask": "what | what is | what are | what was | what were | what is the | what are the | list | show | "
    "give | return | find | tell | report | display | retrieve | provide | i need | i want",
}


def _parsed() -> dict[tuple[str, ...], Role]:
    found: dict[tuple[str, ...], Role] = {}
    for role, text in _WRITTEN.items():
        for phrase in text.split("|"):
            found.setdefault(tuple(phrase.split()), role)
    return found


PHRASES = _parsed()
LONGEST_PHRASE = max(map(len, PHRASES))

# Words that carry no condition: what is asked is the same without them.
# fmt: off
SILENT = frozenset((
    "a", "about", "all", "also", "am", "an", "any", "are", "as", "be", "been", "being", "can", "could",
    "currently", "did",
    "do", "does", "down", "following", "had", "has", "have", "here", "his", "her", "how", "i", "if",
    "information", "info",
    "is", "it", "its", "let", "me", "much", "must", "my", "need", "our", "out", "please", "respectively",
    "corresponding",
    "associated", "result", "results", "s", "should", "so", "some", "such", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "up", "us", "use", "used", "using", "want", "was", "we", "were", "will",
    "would", "you", "your", "he", "she", "database", "table", "record", "records", "recorded", "exist",
    "exists", "value",
    "values", "belong", "belongs", "ever", "ones", "one", "many", "made", "make", "get", "got", "took", "take", "come",
    "came", "data", "different", "available", "set", "given", "shown", "order", "list", "each", "just", "now", "same",
    "answer", "detail", "details", "found", "than", "happened", "occurred", "owned", "shared", "correspond",
    "corresponds",
    "appear", "appears", "stored", "came", "overall",
))

# What a comparing word measures: the stems of columns that tell it, and whether its most is the highest.
MEASURED: dict[str, tuple[tuple[str, ...], bool]] = {
    "oldest": (("age", "birth", "born", "birthday", "open", "found", "built"), True),
    "youngest": (("age", "birth", "born", "birthday"), False),
    "older": (("age",), True), "younger": (("age",), False),
    "longest": (("length", "duration", "distance", "time", "minute", "second", "long"), True),
    "shortest": (("length", "duration", "distance", "time", "minute", "second", "height"), False),
    "heaviest": (("weight", "mass"), True), "lightest": (("weight", "mass"), False),
    "heavier": (("weight", "mass"), True), "lighter": (("weight", "mass"), False),
    "tallest": (("height",), True), "taller": (("height",), True),
    "richest": (("worth", "income", "wealth"), True),
    "cheapest": (("price", "cost"), False), "dearest": (("price", "cost"), True),
    "latest": (("date", "year", "time", "day"), True), "earliest": (("date", "year", "time", "day"), False),
    "newest": (("date", "year", "time", "day", "open"), True),
}
# Times are counted the other way: who was born last is the youngest.
BACKWARDS = frozenset(("oldest", "youngest", "older", "younger"))

# What goods are counted by, and by itself says nothing of which.
PIECES = frozenset(("pieces", "units", "items"))

# Words that people say for what warehouses call otherwise, by stems.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "gender": ("sex",), "sex": ("gender",), "nation": ("country", "nationality"), "nationality": ("country",),
    "country": ("nation", "nationality", "citizenship"), "identifier": ("id",), "ids": ("id",),
    "people": ("person",), "person": ("people",), "maker": ("manufacturer",), "manufacturer": ("maker",),
    "cost": ("price",), "price": ("cost",), "salary": ("pay", "wage"), "surname": ("last name",), "money": ("amount",),
    "mail": ("email",), "phone": ("telephone",), "telephone": ("phone",), "pupil": ("student",), "worker":
    ("employee",),
    "staff": ("employee",), "headcount": ("employee",), "client": ("customer",), "buyer": ("customer",),
    "purchase": ("order",), "warehouse": ("site",), "site": ("location",), "takings": ("total",), "request":
    ("ticket",),
    "case": ("ticket",), "colour": ("color",), "title": ("name",), "label": ("name",), "kind": ("type", "label"),
    "type": ("kind", "category"), "parcel": ("shipment",), "article": ("product",), "product": ("article", "item"),
    "offer": ("quote",), "pieces": ("quantity", "qty"), "piece": ("quantity", "qty", "unit"),
    "stock": ("on hand", "inventory"),    "worth": ("value",),
    "refused": ("denied", "rejected"), "denied": ("refused", "rejected"), "rejected": ("refused", "denied"),
    "earning": ("income",), "birthday": ("birth date",), "reason": ("cause",), "location": ("place",), "place":
    ("location",),
}
# fmt: on

SYNONYMS = {stem(word): others for word, others in _SYNONYMS.items()}

# What begins a row of a table: of several times it is the one that is meant where nothing is said.
BEGINS = frozenset(
    map(stem, ("created", "opened", "ordered", "placed", "started", "occurred", "happened", "booked", "posted", "sent"))
)
