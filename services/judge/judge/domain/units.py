"""Recognise units of measurement after numbers, and convert them to a base unit."""

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Unit:
    """A unit of the quantity `kind`, such as length. It equals `factor` base units of that quantity."""

    name: str
    kind: str
    factor: Fraction


def _table() -> dict[str, Unit]:
    rows = """
    length 0.000000001 nm nanometre nanometres nanometer nanometers
    length 0.000001 µm \u03bcm micrometre micrometres micrometer micrometers
    length 0.001 mm millimetre millimetres millimeter millimeters
    length 0.01 cm centimetre centimetres centimeter centimeters
    length 1 m metre metres meter meters mètres mètre Meter
    length 1000 km kilometre kilometres kilometer kilometers kilomètres
    length 0.0254 inch inches
    length 0.3048 ft foot feet
    length 0.9144 yd yard yards
    length 1609.344 mi mile miles
    mass 0.001 mg milligram milligrams
    mass 1 g gram grams gramme grammes
    mass 1000 kg kilogram kilograms kilogramm
    mass 1000000 tonne tonnes
    mass 907184.74 ton tons
    mass 453.59237 lb lbs pound-mass
    mass 28.349523125 oz ounce ounces
    time 0.001 ms millisecond milliseconds
    time 1 s sec secs second seconds Sekunden
    time 60 min mins minute minutes Minuten
    time 3600 h hr hrs hour hours Stunden Stunde
    time 86400 day days Tage
    time 604800 week weeks Wochen
    time 2629746 month months
    time 31556952 year years
    time 315569520 decade decades
    volume 0.001 ml mL millilitre millilitres milliliter milliliters
    volume 1 l L litre litres liter liters
    volume 3.785411784 gallon gallons
    area 1 m^2 m2
    area 1000000 km^2 km2
    area 0.0001 cm^2 cm2
    area 10000 hectare hectares
    area 4046.8564224 acre acres
    volume 1000 m^3 m3
    volume 0.001 cm^3 cm3
    speed 1 m/s
    speed 0.27777777777777777778 km/h kmh kph
    speed 0.44704 mph
    speed 1000 km/s
    energy 1 J joule joules
    energy 1000 kJ kilojoule kilojoules
    energy 1000000 MJ megajoule megajoules
    energy 3600000 kWh
    energy 4184 kcal kilocalories
    power 1 W watt watts
    power 1000 kW kilowatt kilowatts
    euro 1 € EUR euro euros Euro
    pound 1 £ GBP pounds
    dollar 1 $ USD dollar dollars bucks
    dollar 0.01 ¢ cent cents
    yen 1 ¥ JPY yen
    yuan 1 CNY yuan RMB
    rupee 1 ₹ INR rupee rupees
    celsius 1 °C
    fahrenheit 1 °F
    kelvin 1 K kelvin
    data 1 byte bytes
    data 1000 kB KB
    data 1000000 MB
    data 1000000000 GB
    data 1000000000000 TB
    """
    units: dict[str, Unit] = {}
    for row in rows.strip().splitlines():
        kind, factor, *names = row.split()
        unit = Fraction(factor) if kind != "speed" or factor[:3] != "0.2" else Fraction(5, 18)
        for name in names:
            units[name] = Unit(names[0], kind, unit)
    return units


UNITS = _table()
CURRENCIES = "$€£¥₹"
_WORD = re.compile(
    r"\s?(°[CF]\b|[€£¥₹¢]|\$(?=\W|$)(?!\d)|(?:km|m)/[hs]\b|c?m\^?[23]\b|km\^?2\b|[A-Za-zµ\u03bcèÈ]{1,14}\b)"
)
_SQUARE = re.compile(r"\s?(square|cubic|sq\.?|cu\.?)\s", re.IGNORECASE)
_ASKED = re.compile(
    r"\bhow (?:many|much) (?:more |fewer |extra |total |whole |full )?(?:of )?(?!in\b|is\b|does\b|did\b|do\b)([A-Za-z]{2,14})\b"
    r"|\b(?:in|into|to) ([A-Za-z]{2,14}|km/h|m/s|°[CF])(?=[?.,]|$| (?:is|are|was|were|will|does|do|did|should|must)\b)",
    re.IGNORECASE,
)
_POWERS_OF_LENGTH = {2: ("area", 1), 3: ("volume", 1000)}
"""The kind of a squared or cubed length, by its power, and the number of base units in 1 m² or 1 m³ (1000 l)."""
_TOO_SHORT = {"K", "L", "W", "J"}


def unit_after(text: str, end: int) -> tuple[Unit | None, int]:
    """Return the unit directly after a number that ends at the index `end`, and the index where the unit ends.

    Without a known unit, return `None` and `end`.
    """
    square = _SQUARE.match(text, end)
    match = _WORD.match(text, square.end() - 1 if square else end)
    if not match:
        return None, end
    word = match[1]
    unit = UNITS.get(word) or (UNITS.get(word.lower()) if len(word) > 3 else None)
    if unit is None:
        return None, end
    if square is not None:
        power = 2 if square[1][0] in "sS" else 3
        kind, factor = _POWERS_OF_LENGTH[power] if unit.kind == "length" else (f"{unit.kind}^{power}", 1)
        return Unit(f"{unit.name}^{power}", kind, unit.factor**power * factor), match.end()
    if word[-1].isalpha() and text[match.end() : match.end() + 1] in ("^", "/", "'"):
        return None, end
    return unit, match.end()


def unit_asked(question: str) -> Unit | None:
    """Return the unit that a question asks for ("How many metres …", "… in euros?"); `None` if it asks for none or
    several."""
    asked_units = set()
    for found in _ASKED.finditer(question[-2000:]):
        word = found[1] or found[2]
        unit = UNITS.get(word) or UNITS.get(word.lower())
        if unit is not None and word not in _TOO_SHORT:
            asked_units.add(unit)
    return asked_units.pop() if len(asked_units) == 1 else None
