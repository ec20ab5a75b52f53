"""Words for answering in languages of other scripts, by pattern, with the English (see `other_languages`)."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "ARABIC",
    "CHINESE_AND_JAPANESE",
    "HINDI",
    "KOREAN",
    "RUSSIAN",
    "RUSSIAN_SIGNS",
]

RUSSIAN_SIGNS = "ответ|вариант"
RUSSIAN: Mapping[str, str] = {
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
}
CHINESE_AND_JAPANESE: Mapping[str, str] = {
    r"\(答案\)": "answer:",
    "(?:答え|正解|回答)は": "answer is",
    "(?:が|是)(?:正解|正确答案|正确的?答案|正しい答え)(?:です)?": "is correct",
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
}
KOREAN: Mapping[str, str] = {"정?답은": "answer is", "정?답": "answer", "입니다|이다": "", "또는": "or", "아니": "not"}
HINDI: Mapping[str, str] = {
    "(?:उत्तर|जवाब)(?= *(?:विकल्प )?\\(?[A-Z]\\)? नहीं)": "answer is not",
    "(?:सही |मेरा |अंतिम )?(?:उत्तर|जवाब)(?: है)?(?= *[:(A-Z])": "answer is",
    "विकल्प": "option",
    "नहीं": "not",
    "सही है": "is correct",
    "(?<=[A-Z)]) ?है": "",
    "या": "or",
    "और": "and",
    "क्योंकि": "because",
    "अगर|यदि": "if",
    "के बाद": "after",
    "से पहले": "before",
    "।": ".",
}
ARABIC: Mapping[str, str] = {
    "(?:ال)?(?:إجابة|جواب)(?: (?:ال)?(?:صحيحة|صحيح|نهائية))?(?: (?:هي|هو))?(?= *[:(A-Z])": "answer is",
    "الخيار": "option",
    "ليست?|ليس": "is not",
    "(?<!\\w)أو(?!\\w)": "or",
    "(?<!\\w)و(?= ?[(A-Z])": "and",
    "لأن": "because",
    "(?<!\\w)(?:إذا|لو)(?!\\w)": "if",
    "(?<!\\w)بعد(?!\\w)": "after",
    "(?<!\\w)قبل(?!\\w)": "before",
}
