"""
Phrases of a question that the catalogue has in another form than word by word: whole values, first
letters (`miles per gallon` is mpg), words in brackets that explain others, and words with digits.
"""

import re
from collections.abc import Iterator

from linker.ranking.lexicon import Lexicon, Postings
from linker.ranking.question import QuestionWords
from linker.ranking.table_words import Floats, Ints
from linker.text.words import folded, parts, squashed, stem

# Shorter ones stand in many texts by chance.
_LEAST_LETTERS = 5
_FEWEST_INITIALS = 3
_MOST_INITIALS = 5
_MOST_COLUMNS = 300
_BEFORE_BRACKETS = 3
_EXPLAINING = 0.5
_BRACKETS = re.compile(r"([^().,;:?!]+)\(([^()]+)\)")
# CO2, B2B, MP3: letters around one digit. Longer ones are codes, of which a value may not be known.
_WITH_DIGIT = re.compile(r"(?<![\w.-])[A-Za-z]{1,4}\d[A-Za-z]{0,3}(?![\w-]|\.\w)")
_PERIOD = re.compile(r"(?:Q|H|S|T|W|FY|KW|CW|M|Y|P)\d", re.IGNORECASE)


def rows_of_phrases(question: QuestionWords, lexicon: Lexicon, spoken: Floats) -> list[int]:
    """
    The words of a question, by their places, that the catalogue has in one phrase; `spoken` says
    how far tables speak of each word.
    """
    rows = {word: row for row, word in enumerate(question.words)}
    words = set[str]()
    words.update(*_values(question, lexicon), *_initials(question, lexicon))
    for run, explained_by in _explained(question.text):
        explaining = [rows[word] for word in explained_by if word in rows]
        if explaining and spoken[explaining].max() >= _EXPLAINING:
            words.update(run)
    return [row for word, row in rows.items() if word in words]


def _values(question: QuestionWords, lexicon: Lexicon) -> Iterator[list[str]]:
    """Values of several words that stand in the question whole."""
    letters, words = squashed(question.text), f" {' '.join(map(stem, parts(question.text)))} "
    columns = dict[int, None]()
    for word in question.words:
        holding = _holding(word, lexicon, lexicon.values).tolist()
        columns.update(dict.fromkeys(holding[:_MOST_COLUMNS]))
    for column in columns:
        for value in lexicon.facts.of(lexicon.refs[column]).values:
            key = squashed(value)
            if len(key) >= _LEAST_LETTERS and key in letters:
                spelt = [stem(part) for part in parts(value)]
                if len(spelt) > 1 and f" {' '.join(spelt)} " in words:
                    yield spelt


def _initials(question: QuestionWords, lexicon: Lexicon) -> Iterator[list[str]]:
    """Words in a row whose first letters are a word in a name."""
    words = parts(question.text)
    for start in range(len(words)):
        for end in range(start + _FEWEST_INITIALS, min(start + _MOST_INITIALS, len(words)) + 1):
            run = words[start:end]
            if len(_holding("".join(word[0] for word in run), lexicon, lexicon.names)):
                yield [stem(word) for word in run]


def _explained(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """The words before brackets, and those in them."""
    for before, inside in _BRACKETS.findall(text):
        words = [stem(part) for part in parts(before)][-_BEFORE_BRACKETS:]
        yield words, [stem(part) for part in parts(inside)]


def digit_words_missing(question: QuestionWords, lexicon: Lexicon) -> Iterator[str]:
    """The words with a digit, as CO2, that no column or table has in its name, comment or values."""
    for word in dict.fromkeys(_WITH_DIGIT.findall(question.text)):
        if _PERIOD.fullmatch(word) or folded(word) in question.quoted:
            continue
        of_word = [stem(part) for part in parts(word)]
        whole = [folded(word)]
        postings = (
            lexicon.names,
            lexicon.paths,
            lexicon.descriptions,
            lexicon.values,
            lexicon.table_names,
            lexicon.table_descriptions,
        )
        if not any(
            _hold_all(spelt, lexicon, each) for each in postings for spelt in (of_word, whole)
        ):
            yield word


def _hold_all(words: list[str], lexicon: Lexicon, postings: Postings) -> bool:
    """True where a text has all these words."""
    texts = set(_holding(words[0], lexicon, postings).tolist())
    for word in words[1:]:
        texts &= set(_holding(word, lexicon, postings).tolist())
    return bool(texts)


def _holding(word: str, lexicon: Lexicon, postings: Postings) -> Ints:
    number = lexicon.vocabulary.number(word)
    return postings.texts[:0] if number is None else postings.of(number)[0]
