"""Words for answering in languages written in Latin letters, by pattern, with the English (see `other_languages`).

The signs are words of which one is in every reply of a language, as it stands or in lower case.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "DUTCH_AND_NORDIC",
    "DUTCH_AND_NORDIC_SIGNS",
    "FRENCH",
    "FRENCH_SIGNS",
    "GERMAN",
    "GERMAN_SIGNS",
    "ITALIAN_AND_PORTUGUESE",
    "ITALIAN_AND_PORTUGUESE_SIGNS",
    "POLISH",
    "POLISH_SIGNS",
    "SPANISH",
    "SPANISH_SIGNS",
    "VIETNAMESE_AND_INDONESIAN",
    "VIETNAMESE_AND_INDONESIAN_SIGNS",
]

_ARTICLE = r"(?:la|le|die|(?-i:a))(?= \(?(?-i:[A-Z])(?!\w))"
GERMAN_SIGNS = (
    "antwort|es ist|antworten|lösung|richtig|richtige|korrekt|korrekte|wähle|entscheide|daher|deshalb"
    "|nicht|sondern|oder|und"
)
GERMAN: Mapping[str, str] = {
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
}
FRENCH_SIGNS = "réponse|réponses|bonne option|je choisis|je dirais|donc|c'est|n'est|l'option|correcte"
FRENCH: Mapping[str, str] = {
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
}
SPANISH_SIGNS = "respuesta|respuestas|opción|elijo|escojo|por lo tanto|correcta|Es"
SPANISH: Mapping[str, str] = {
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
}
ITALIAN_AND_PORTUGUESE_SIGNS = "risposta|opzione|scelgo|resposta|alternativa|opção|escolho|letra"
ITALIAN_AND_PORTUGUESE: Mapping[str, str] = {
    _ARTICLE: "",
    "(?:alternativa|opção) (?:correta|certa)": "correct option",
    "risposta|resposta": "answer",
    "(?:a )?(?:opzione|opção|alternativa|letra|lettera)": "option",
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
}
DUTCH_AND_NORDIC_SIGNS = "antwoord|svaret|svar|optie"
DUTCH_AND_NORDIC: Mapping[str, str] = {
    "het|det|ett": "the",
    "antwoord|svaret|svar": "answer",
    "juiste|goede|correcte|rätt|riktiga|korrekta|rette|rigtige|riktige|korrekte": "correct",
    "optie|alternativ|mulighed": "option",
    "mijn|mitt|mit": "my",
    "is niet|är inte|er ikke": "is not",
    "is|är|er": "is",
    "niet|inte|ikke": "not",
    "of|eller": "or",
    "en|och|og": "and",
    "want|omdat|eftersom|fordi": "because",
    "na|efter|etter": "after",
    "voor|före|innan|før": "before",
    "als|om|hvis": "if",
    "dus|så|alltså|altså": "so",
    "maar|utan|men": "but",
    "zou|skulle": "would",
}
POLISH_SIGNS = "odpowiedź|odpowiedzią|odpowiedzi"
POLISH: Mapping[str, str] = {
    "odpowiedź|odpowiedzią|odpowiedzi": "answer",
    "prawidłowa|poprawna|właściwa|prawidłową|poprawną|właściwą": "correct",
    "opcja|opcją": "option",
    "nie jest|to nie": "is not",
    "nie": "not",
    "to|jest|brzmi": "is",
    "lub|albo": "or",
    "i|oraz": "and",
    "ponieważ|bo": "because",
    "po": "after",
    "przed": "before",
    "jeśli|jeżeli": "if",
    "więc|zatem|dlatego": "so",
    "ale|lecz": "but",
    "byłaby|byłoby": "would be",
}
VIETNAMESE_AND_INDONESIAN_SIGNS = "đáp án|câu trả lời|jawaban|jawabannya"
VIETNAMESE_AND_INDONESIAN: Mapping[str, str] = {
    r"(?:đáp án|câu trả lời)(?: (?:đúng|chính xác))?": "answer",
    r"(?:jawaban|jawabannya)(?: yang (?:benar|tepat))?": "answer",
    "pilihan|phương án": "option",
    "không phải(?: là)?|bukan(?:lah)?": "is not",
    "là|adalah|ialah": "is",
    "hoặc|hay|atau": "or",
    "và|dan": "and",
    "vì|bởi vì|karena": "because",
    "sau|setelah|sesudah": "after",
    "trước|sebelum": "before",
    "nếu|jika|kalau": "if",
    "vậy|do đó|jadi|maka": "so",
    "nhưng|tetapi|melainkan": "but",
    "sẽ là|akan menjadi": "would be",
}
