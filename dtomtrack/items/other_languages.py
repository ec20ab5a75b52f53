"""Words of other languages in which models state answers, said in English, so that one set of rules reads them all.

Only the words that matter to the rules are replaced; what is not in the tables stays. A reply and the texts of the
options go the same way, so that a text is still found in a reply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Language", "language_of"]


@dataclass(frozen=True)
class Language:
    """A language's words for answering.

    Attributes:
        signs: words or letters of which one is in every reply of this language, as it stands or in lower case.
        pattern: finds the signs where they are whole words.
        words: pairs of a pattern and the English words for it, applied in this order.
    """

    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    words: Sequence[tuple[re.Pattern[str], str]]

    def is_in(self, text: str, lowered: str) -> bool:
        """Whether a reply seems to be in this language."""
        return any(sign in lowered or sign in text for sign in self.signs) and self.pattern.search(text) is not None

    def in_english(self, text: str) -> str:
        """The text with the words of the table in English."""
        for pattern, english in self.words:
            text = pattern.sub(english, text)
        return re.sub(r" +(?=[,.:;!?)\n]|$)", "", re.sub(r" {2,}", " ", text)).strip(" ")


def language_of(text: str) -> Language | None:
    """The language, other than English, in which a reply seems to state its answer."""
    if not text.isascii():
        for script, language in _OWN_SCRIPTS:
            if script.search(text):
                return language
    lowered = text.lower()
    return next((language for language in _LATIN if language.is_in(text, lowered)), None)


def _spaced(signs: str, words: Mapping[str, str]) -> Language:
    named = tuple(signs.split("|"))
    pattern = "|".join(sign if sign.islower() else rf"(?-i:{sign})" for sign in named)
    table = [(re.compile(rf"(?<!\w)(?:{word})(?!\w)", re.IGNORECASE), english) for word, english in words.items()]
    return Language(named, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), table)


def _unspaced(words: Mapping[str, str]) -> Language:
    return Language((), re.compile(""), [(re.compile(word), f" {english} ") for word, english in words.items()])


_ARTICLE = r"(?:la|le|die|(?-i:a))(?= \(?(?-i:[A-Z])(?!\w))"
_GERMAN = _spaced(
    "antwort|es ist|antworten|lösung|richtig|richtige|korrekt|korrekte|wähle|entscheide|daher|deshalb|nicht|sondern"
    "|oder|und",
    {
        _ARTICLE: "",
        r"ist die (?:richtige |korrekte )?antwort(?= \(?(?-i:[A-Z])(?!\w))": "the answer is",
        "antworten": "answers",
        "antwort|lösung": "answer",
        "richtige?|korrekte?|beste|richtig": "correct",
        "falsch": "wrong",
        "es ist": "it is",
        "ist|lautet": "is",
        "sind|lauten": "are",
        "wäre": "would be",
        "war": "was",
        "nicht": "not",
        "sondern": "but",
        "oder": "or",
        "und": "and",
        "weil|da|denn": "because",
        "wenn|falls": "if",
        "nach": "after",
        "vor": "before",
        "also|daher|deshalb|somit|folglich": "so",
        "ich (?:wähle|nehme|entscheide mich für)": "I choose",
        "die|das": "the",
        "meine": "my",
    },
)
_FRENCH = _spaced(
    "réponse|réponses|bonne option|je choisis|je dirais|donc|c'est|n'est|l'option|correcte",
    {
        _ARTICLE: "",
        "l'option": "option",
        "réponses": "answers",
        "réponse": "answer",
        "(?:bonne|meilleure) option|option correcte": "correct option",
        "bonne|correcte|juste|meilleure": "correct",
        "incorrecte|fausse": "wrong",
        "n'est pas": "is not",
        "c'est": "it is",
        "est": "is",
        "sont": "are",
        "serait": "would be",
        "était": "was",
        "mais": "but",
        "ou": "or",
        "et": "and",
        "car|parce que|puisque": "because",
        "si": "if",
        "après": "after",
        "avant": "before",
        "donc|ainsi|par conséquent": "so",
        "je (?:choisis|dirais)": "I choose",
        "je pense que": "I think",
        "la|le": "the",
    },
)
_SPANISH = _spaced(
    "respuesta|respuestas|opción|elijo|escojo|por lo tanto|correcta|Es",
    {
        _ARTICLE: "",
        "opción correcta": "correct option",
        "respuestas": "answers",
        "respuesta": "answer",
        "opción": "option",
        "correctas?": "correct",
        "incorrectas?": "wrong",
        "no es": "is not",
        r"(?-i:Es)": "it is",
        "es": "is",
        "son": "are",
        "sería": "would be",
        "era|fue": "was",
        "sino": "but",
        "o": "or",
        "y": "and",
        "porque|ya que": "because",
        "si": "if",
        "después de(?:l)?": "after",
        "antes de(?:l)?": "before",
        "por (?:lo )?tanto|así que": "so",
        "elijo|escojo": "I choose",
        "la": "the",
    },
)
_ITALIAN_AND_PORTUGUESE = _spaced(
    "risposta|opzione|scelgo|resposta|alternativa|opção|escolho",
    {
        _ARTICLE: "",
        "(?:alternativa|opção) (?:correta|certa)": "correct option",
        "risposta|resposta": "answer",
        "opzione|opção|alternativa": "option",
        "corretta|giusta|correta|certa": "correct",
        "non è|não é": "is not",
        "è|é": "is",
        "sarebbe|seria": "would be",
        "ma|mas": "but",
        "o|ou": "or",
        "e": "and",
        "perché|porque": "because",
        "se": "if",
        "dopo|depois": "after",
        "prima|antes": "before",
        "quindi|portanto": "so",
        "scelgo|escolho": "I choose",
    },
)
_RUSSIAN = _spaced(
    "ответ|вариант",
    {
        "ответ": "answer",
        "вариант": "option",
        "правильный|верный": "correct",
        "неправильный|неверный": "wrong",
        "не": "not",
        "или": "or",
        "и": "and",
        "потому что": "because",
        "если": "if",
        "после": "after",
        "до": "before",
    },
)
_CHINESE_AND_JAPANESE = _unspaced(
    {
        r"\(答案\)": "answer:",
        "(?:答え|正解|回答)は": "answer is",
        "(?:正确的?|最终)?答案|答(?=:)|答え|正解|回答": "answer",
        "不是|并非": "is not",
        "而是": "but",
        "会是": "would be",
        "应该是|应为": "is",
        "选项": "option",
        "不(?:应该?)?选": "not",
        "我?选择?|[应故]选": "I choose",
        "不正确的?|错误的?": "wrong",
        "正确的?": "correct",
        "所以|因此|故": "so",
        "是|为|です": "is",
        "或者?|还是": "or",
        "以?及|和|与|と": "and",
        "因为|由于|,因": "because",
        "如果|假如|若": "if",
        "在([^,.]{1,12})之?后": r"after \1",
        "在([^,.]{1,12})之?前": r"before \1",
    },
)
_KOREAN = _unspaced({"정?답은": "answer is", "정?답": "answer", "입니다|이다": "", "또는": "or", "아니": "not"})
_OWN_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"), _CHINESE_AND_JAPANESE),
    (re.compile(r"[\uac00-\ud7af]"), _KOREAN),
    (re.compile(r"[\u0400-\u04ff]"), _RUSSIAN),
)
_LATIN = (_GERMAN, _FRENCH, _SPANISH, _ITALIAN_AND_PORTUGUESE)
