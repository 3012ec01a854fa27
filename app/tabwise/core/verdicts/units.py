"""Units by name: what they measure, and the factor to the base unit of that dimension.

Plain scaling only: °C and °F are dimensions of their own, as are currencies. Names are case-sensitive
where that tells units apart (MW, mW). The commonest in German, French, Spanish, Russian and Chinese too.
"""

_TABLE = """
%           1 % percent per_cent percentage_points percentage_point pp Prozent pour_cent por_ciento процент
%           1 процента процентов
%           0.1 ‰ per_mille
length      1e-9 nm nanometre nanometres nanometer nanometers
length      1e-6 µm μm micron microns micrometre micrometres
length      1e-3 mm millimetre millimetres millimeter millimeters
length      1e-2 cm centimetre centimetres centimeter centimeters
length      1 m metre metres meter meters Meter Metern mètre mètres metro metros м метр метра метров 米
length      1e3 km kilometre kilometres kilometer kilometers Kilometer Kilometern kilomètre kilomètres
length      1e3 kilómetro kilómetros км километр километра километров 公里
length      0.0254 inch inches
length      0.3048 ft foot feet
length      0.9144 yd yard yards
length      1609.344 mi mile miles Meile Meilen milla millas миль мили милях 英里
length      1852 nautical_mile nautical_miles
mass        1e-9 µg μg mcg microgram micrograms
mass        1e-6 mg milligram milligrams
mass        1e-3 g gram grams gramme grammes
mass        1 kg kilogram kilograms kilo kilos
mass        1e3 t tonne tonnes metric_ton metric_tons Tonne Tonnen tonelada toneladas тонн тонны
mass        1e6 kiloton kilotons kilotonne kilotonnes
mass        1e9 Mt megaton megatons megatonne megatonnes
mass        1e12 Gt gigaton gigatons gigatonne gigatonnes
mass        907.185 ton tons
mass        0.45359237 lb lbs pound pounds
mass        0.0283495 oz ounce ounces
time        1e-3 ms millisecond milliseconds
time        1 s sec second seconds Sekunde Sekunden seconde secondes segundo segundos секунд секунды 秒
time        60 min minute minutes Minute Minuten minuto minutos минут минуты 分钟
time        3600 h hr hrs hour hours Stunde Stunden heure heures hora horas час часа часов 小时
time        86400 day days Tag Tage Tagen jour jours día días день дня дней 天
time        604800 week weeks Woche Wochen semaine semaines semana semanas неделя недели недель 周
time        2629800 month months Monat Monate Monaten mois mes meses месяц месяца месяцев 个月
time        31557600 yr yrs year years Jahr Jahre Jahren an ans année années año años лет года
time        315576000 decade decades
time        3155760000 century centuries
power       1e-3 mW milliwatt milliwatts
power       1 W watt watts
power       1e3 kW kilowatt kilowatts
power       1e6 MW megawatt megawatts
power       1e9 GW gigawatt gigawatts
power       1e12 TW terawatt terawatts
power       745.7 hp horsepower
energy      1 J joule joules
energy      1e3 kJ
energy      1e6 MJ
energy      1e9 GJ
energy      3600 Wh
energy      4184 kcal
energy      3.6e6 kWh kilowatt-hour kilowatt-hours kilowatt_hours
energy      3.6e9 MWh megawatt-hour megawatt-hours megawatt_hours
energy      3.6e12 GWh gigawatt-hour gigawatt-hours gigawatt_hours
energy      3.6e15 TWh terawatt-hour terawatt-hours terawatt_hours
data        0.125 bit bits Bit Bits
data        1 B byte bytes Byte Bytes octet octets
data        1e3 kB KB kilobyte kilobytes
data        1e6 MB megabyte megabytes
data        1e9 GB gigabyte gigabytes
data        1e12 TB terabyte terabytes
rate        1e3 kbit/s kbps kb/s
rate        1e6 Mbit/s Mbps Mb/s
rate        1e9 Gbit/s Gbps Gb/s
celsius     1 °C ℃ degrees_Celsius degrees_celsius
fahrenheit  1 °F ℉ degrees_Fahrenheit degrees_fahrenheit
angle       1 ° degree degrees
speed       1 m/s
speed       0.2777777777777778 km/h kph kmh
speed       0.44704 mph miles_per_hour
speed       0.5144444444444445 kn knot knots
area        1 m² m2 sq_m square_metre square_metres square_meter square_meters
area        1e6 km² km2 sq_km square_kilometre square_kilometres square_kilometer square_kilometers
area        1e4 ha hectare hectares Hektar hectárea hectáreas га
area        4046.8564 acre acres акр акра акров 英亩
area        2589988.11 sq_mi square_mile square_miles
area        0.09290304 sq_ft square_foot square_feet
volume      1e-3 ml mL millilitre millilitres milliliter milliliters
volume      1 l L litre litres liter liters
volume      1e3 m³ m3 cubic_metre cubic_metres cubic_meter cubic_meters
volume      3.785411784 gallon gallons
volume      158.987 barrel barrels
frequency   1 Hz hertz
frequency   1e3 kHz kilohertz
frequency   1e6 MHz megahertz
frequency   1e9 GHz gigahertz
voltage     1 V volt volts
voltage     1e3 kV kilovolt kilovolts
pressure    1 Pa
pressure    1e2 hPa mbar
pressure    1e3 kPa
pressure    1e5 bar
usd         1 $ US$ USD dollar dollars US_dollars
usd         0.01 cent cents
eur         1 € EUR euro euros
gbp         1 £ GBP pounds_sterling
jpy         1 ¥ JPY yen
inr         1 ₹ INR rupee rupees
chf         1 CHF francs
"""

UNITS: dict[str, tuple[str, float]] = {
    name.replace("_", " "): (dimension, float(factor))
    for dimension, factor, *names in (line.split() for line in _TABLE.strip().splitlines())
    for name in names
}
