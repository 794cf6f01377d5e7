"""A weather server for the Model Context Protocol, with weather that is made up but steady.

Three tools over stdio. Nothing is fetched and no clock is read: every figure is computed from the city and
the date, so the same question always gets the same answer. Run it with ``python weather_server.py``.
"""

from __future__ import annotations

import difflib
import hashlib
import math
import unicodedata
from datetime import date, timedelta
from typing import Annotated, Any, Final, Literal, NamedTuple

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

Units = Literal["metric", "imperial"]
Condition = Literal["clear", "partly cloudy", "overcast", "fog", "rain", "thunderstorm", "snow"]
Extra = Literal["wind", "uv_index", "sun"]

TODAY: Final = date(2026, 6, 1)
"""The day on which this server always stands."""

_DAYS_PER_YEAR = 365.25
_WARMEST_DAY_NORTH = 200
_LAPSE_C_PER_M = 0.0065
_FREEZING_C = 1.0
_WET_MM = 1.0
_STORM_MM = 18.0
_FOG_WIND_KMH = 6.0


class City(NamedTuple):
    """A place and its climate."""

    name: str
    country: str
    latitude: float
    longitude: float
    mean_c: float
    swing_c: float
    wet_days: float


CITIES: Final = {
    city.name.casefold(): city
    for city in (
        City("Amsterdam", "NL", 52.37, 4.90, 10.5, 7.5, 0.45),
        City("Auckland", "NZ", -36.85, 174.76, 15.5, 4.5, 0.40),
        City("Berlin", "DE", 52.52, 13.41, 10.0, 10.0, 0.35),
        City("Buenos Aires", "AR", -34.60, -58.38, 17.8, 7.0, 0.28),
        City("Cairo", "EG", 30.04, 31.24, 22.5, 7.5, 0.03),
        City("Cape Town", "ZA", -33.92, 18.42, 16.8, 4.5, 0.20),
        City("Chicago", "US", 41.88, -87.63, 10.5, 14.0, 0.34),
        City("Delhi", "IN", 28.61, 77.21, 25.0, 9.0, 0.18),
        City("Lima", "PE", -12.05, -77.04, 19.5, 3.5, 0.04),
        City("Lisbon", "PT", 38.72, -9.14, 17.5, 6.0, 0.22),
        City("London", "GB", 51.51, -0.13, 11.5, 6.8, 0.40),
        City("Mexico City", "MX", 19.43, -99.13, 16.5, 2.5, 0.32),
        City("Nairobi", "KE", -1.29, 36.82, 18.5, 1.2, 0.25),
        City("New York", "US", 40.71, -74.01, 13.0, 12.0, 0.33),
        City("Oslo", "NO", 59.91, 10.75, 6.8, 11.5, 0.36),
        City("Paris", "FR", 48.86, 2.35, 12.5, 8.0, 0.36),
        City("Reykjavík", "IS", 64.15, -21.94, 5.2, 5.5, 0.55),
        City("San Francisco", "US", 37.77, -122.42, 14.2, 3.0, 0.16),
        City("Singapore", "SG", 1.35, 103.82, 27.6, 0.6, 0.55),
        City("Sydney", "AU", -33.87, 151.21, 18.3, 5.0, 0.32),
        City("Tokyo", "JP", 35.68, 139.69, 16.2, 10.5, 0.34),
        City("Toronto", "CA", 43.65, -79.38, 9.5, 13.0, 0.35),
        City("Zürich", "CH", 47.38, 8.54, 9.8, 9.5, 0.38),
    )
}


class UnitNames(BaseModel):
    """The unit in which each kind of figure is given."""

    temperature: str = Field(description="Unit of every temperature", examples=["°C"])
    wind_speed: str = Field(description="Unit of every wind speed", examples=["km/h"])
    precipitation: str = Field(description="Unit of every amount of rain or snow", examples=["mm"])


class Place(BaseModel):
    """Where the weather is."""

    city: str
    country: str = Field(description="ISO 3166-1 alpha-2 code")
    latitude: float
    longitude: float


class AirQuality(BaseModel):
    """How clean the air is."""

    index: int = Field(description="European air quality index, 0 is best", ge=0, le=100)
    level: Literal["good", "fair", "moderate", "poor"]
    pm2_5: float = Field(description="Fine particles in µg/m³")


def _when_asked(meaning: str) -> Any:
    """Declare a field which is left out of the answer unless the question asked for it."""
    return Field(
        default=None,
        description=f"{meaning}; given when it was asked for",
        exclude_if=lambda value: value is None,
    )


class CurrentWeather(BaseModel):
    """The weather in a city today."""

    place: Place
    date: date
    condition: Condition
    temperature: float
    feels_like: float
    humidity_percent: int = Field(ge=0, le=100)
    wind_speed: float
    wind_direction: str = Field(description="Where the wind comes from", examples=["NW"])
    precipitation: float = Field(description="Rain or snow in the past 24 hours")
    air_quality: AirQuality | None = _when_asked("How clean the air is")
    units: UnitNames


class ForecastDay(BaseModel):
    """One day of a forecast."""

    date: date
    condition: Condition
    temperature_max: float
    temperature_min: float
    precipitation: float
    precipitation_chance_percent: int = Field(ge=0, le=100)
    rain_warning: bool = Field(description="Whether the rain is above the threshold that was asked for")
    wind_speed: float | None = _when_asked("Strongest wind of the day")
    uv_index: int | None = _when_asked("Strongest sun burn risk of the day, 11 is extreme")
    sun_hours: float | None = _when_asked("Hours of sunshine")


class Forecast(BaseModel):
    """The days ahead in a city."""

    place: Place
    days: list[ForecastDay]
    units: UnitNames


class _Day(NamedTuple):
    """A day's weather in metric figures, before anybody asks for units."""

    condition: Condition
    high_c: float
    low_c: float
    rain_mm: float
    rain_chance: float
    wind_kmh: float
    wind_from: str
    humidity: float
    uv_index: float
    sun_hours: float


def chance(*parts: object) -> float:
    """Return a number in [0, 1) that looks random and is always the same for the same parts."""
    digest = hashlib.sha256("|".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _plain(text: str) -> str:
    """Return text without case, accents and outer space, for comparing names."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


_BY_PLAIN_NAME: Final = {_plain(city.name): city for city in CITIES.values()}


def find_city(name: str) -> City:
    """Return the city of that name.

    Raises:
        ToolError: there is no such city here; the message says which there are.
    """
    city = _BY_PLAIN_NAME.get(_plain(name))
    if city is not None:
        return city
    near = difflib.get_close_matches(_plain(name), _BY_PLAIN_NAME, n=1)
    hint = f"Did you mean {_BY_PLAIN_NAME[near[0]].name}? " if near else ""
    known = ", ".join(each.name for each in CITIES.values())
    raise ToolError(f"No weather for “{name}”. {hint}Known cities: {known}.")


def _season(city: City, day: date) -> float:
    """Return the season from -1 (midwinter) to 1 (midsummer)."""
    summer = _WARMEST_DAY_NORTH + (0 if city.latitude >= 0 else _DAYS_PER_YEAR / 2)
    return math.cos(2 * math.pi * (day.timetuple().tm_yday - summer) / _DAYS_PER_YEAR)


def _condition(high_c: float, rain_mm: float, wind_kmh: float, cloud: float) -> Condition:
    """Name the sky."""
    rules: tuple[tuple[bool, Condition], ...] = (
        (rain_mm >= _WET_MM and high_c <= _FREEZING_C, "snow"),
        (rain_mm >= _STORM_MM, "thunderstorm"),
        (rain_mm >= _WET_MM, "rain"),
        (wind_kmh < _FOG_WIND_KMH and cloud > 0.7, "fog"),  # noqa: PLR2004
        (cloud > 0.65, "overcast"),  # noqa: PLR2004
        (cloud > 0.3, "partly cloudy"),  # noqa: PLR2004
    )
    return next((name for holds, name in rules if holds), "clear")


def weather_on(city: City, day: date) -> _Day:
    """Compute a day's weather from nothing but the city and the date."""
    season = _season(city, day)
    rain_chance = min(0.95, city.wet_days * (0.4 + 1.2 * chance(city.name, day, "front")))
    wet = chance(city.name, day, "rain") < rain_chance
    rain_mm = 1 + 26 * chance(city.name, day, "amount") ** 2 if wet else 0.0
    cloud = max(rain_chance, chance(city.name, day, "cloud"))
    wind_kmh = 3 + 34 * chance(city.name, day, "wind") ** 1.5
    high_c = (
        city.mean_c + city.swing_c * season + 7 * chance(city.name, day, "warmth") - (2.5 if wet else -1.5)
    )
    low_c = high_c - 4 - 7 * chance(city.name, day, "night") * (1.2 - cloud)
    daylight = 12 + abs(city.latitude) / 12 * season
    return _Day(
        condition=_condition(high_c, rain_mm, wind_kmh, cloud),
        high_c=high_c,
        low_c=low_c,
        rain_mm=rain_mm,
        rain_chance=rain_chance,
        wind_kmh=wind_kmh,
        wind_from=("N", "NE", "E", "SE", "S", "SW", "W", "NW")[int(8 * chance(city.name, day, "direction"))],
        humidity=38 + 30 * cloud + (18 if wet else 0) * chance(city.name, day, "humidity"),
        uv_index=max(0.0, (11 - abs(city.latitude) / 7 + 3 * season) * (1.1 - 0.7 * cloud)),
        sun_hours=max(0.0, daylight * (1.05 - cloud)),
    )


class Scale(NamedTuple):
    """How figures are given in one system of units."""

    names: UnitNames
    degrees_per_c: float
    freezing: float
    speed_per_kmh: float
    depth_per_mm: float
    depth_digits: int

    def temperature(self, celsius: float) -> float:
        """Convert a temperature."""
        return round(celsius * self.degrees_per_c + self.freezing, 1)

    def speed(self, kmh: float) -> float:
        """Convert a wind speed."""
        return round(kmh * self.speed_per_kmh, 1)

    def depth(self, millimetres: float) -> float:
        """Convert an amount of rain."""
        return round(millimetres * self.depth_per_mm, self.depth_digits)


SCALES: Final[dict[Units, Scale]] = {
    "metric": Scale(UnitNames(temperature="°C", wind_speed="km/h", precipitation="mm"), 1, 0, 1, 1, 1),
    "imperial": Scale(
        UnitNames(temperature="°F", wind_speed="mph", precipitation="in"), 1.8, 32, 1 / 1.609344, 1 / 25.4, 2
    ),
}

_AIR_LEVELS: Final[tuple[tuple[int, Literal["good", "fair", "moderate", "poor"]], ...]] = (
    (20, "good"),
    (40, "fair"),
    (60, "moderate"),
    (100, "poor"),
)


def _air_quality(city: City, day: date) -> AirQuality:
    """Compute how clean the air is."""
    index = round(8 + 70 * chance(city.name, day, "air") ** 1.6)
    level = next(name for limit, name in _AIR_LEVELS if index <= limit)
    return AirQuality(index=index, level=level, pm2_5=round(index * 0.42, 1))


def _place(city: City) -> Place:
    """Say where a city is."""
    return Place(city=city.name, country=city.country, latitude=city.latitude, longitude=city.longitude)


class _Preference:
    """The units used when a question names none."""

    units: Units = "metric"


CityName = Annotated[
    str,
    Field(
        title="City",
        description="Name of the city; case and accents do not matter",
        min_length=2,
        max_length=60,
        examples=["Oslo", "Buenos Aires", "Zürich"],
    ),
]
ChosenUnits = Annotated[
    Units | None,
    Field(title="Units", description="Units for this answer only; left out, the choice of set_units holds"),
]
_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_CHANGES = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

server = MCPServer(
    name="weather",
    title="Weather",
    version="1.0.0",
    instructions="Weather for a fixed list of cities. The figures are computed, not measured.",
    log_level="WARNING",
)


@server.tool(
    title="Current weather",
    description="Get the weather in a city right now: sky, temperature, humidity, wind and, if wanted, air quality.",
    annotations=_READS,
)
def get_current_weather(
    *,
    city: CityName,
    units: ChosenUnits = None,
    elevation_m: Annotated[
        float | None,
        Field(
            title="Elevation (m)",
            description="How far above the city you stand, in metres: it gets colder by 0.65 °C every 100 m",
            ge=0,
            le=5000,
        ),
    ] = None,
    include_air_quality: Annotated[
        bool, Field(title="Air quality", description="Whether to add the air quality index")
    ] = False,
) -> CurrentWeather:
    """Answer with the weather in a city today."""
    found, scale = find_city(city), SCALES[units or _Preference.units]
    day = weather_on(found, TODAY)
    celsius = (day.high_c * 2 + day.low_c) / 3 - _LAPSE_C_PER_M * (elevation_m or 0)
    return CurrentWeather(
        place=_place(found),
        date=TODAY,
        condition=day.condition,
        temperature=scale.temperature(celsius),
        feels_like=scale.temperature(celsius - day.wind_kmh / 12),
        humidity_percent=min(100, round(day.humidity)),
        wind_speed=scale.speed(day.wind_kmh),
        wind_direction=day.wind_from,
        precipitation=scale.depth(day.rain_mm),
        air_quality=_air_quality(found, TODAY) if include_air_quality else None,
        units=scale.names,
    )


@server.tool(
    title="Weather forecast",
    description="Get the forecast for a city, one entry a day, from one day to ten days from a date of your choice.",
    annotations=_READS,
)
def get_forecast(
    *,
    city: CityName,
    days: Annotated[int, Field(title="Days", description="How many days to look ahead", ge=1, le=10)] = 5,
    start_date: Annotated[date, Field(title="From", description="First day of the forecast")] = TODAY,
    units: ChosenUnits = None,
    include: Annotated[
        list[Extra],
        Field(
            title="Also show",
            description="Further figures for every day",
            json_schema_extra={"uniqueItems": True},
        ),
    ] = [],  # noqa: B006 - never changed, and a plain default is what the schema shows
    rain_warning_mm: Annotated[
        float,
        Field(
            title="Rain warning above (mm)",
            description="Days with more rain than this carry a warning",
            ge=0,
            le=100,
            multiple_of=0.5,
        ),
    ] = 10,
) -> Forecast:
    """Answer with the days ahead."""
    found, scale = find_city(city), SCALES[units or _Preference.units]
    if start_date > date.max - timedelta(days=days):
        raise ToolError(f"The calendar ends on {date.max}; choose an earlier first day.")
    dates = [start_date + timedelta(days=ahead) for ahead in range(days)]
    return Forecast(
        place=_place(found),
        days=[_forecast_day(found, day, scale, frozenset(include), rain_warning_mm) for day in dates],
        units=scale.names,
    )


def _forecast_day(
    city: City, day: date, scale: Scale, extras: frozenset[Extra], warn_above_mm: float
) -> ForecastDay:
    """Describe one day of a forecast."""
    weather = weather_on(city, day)
    return ForecastDay(
        date=day,
        condition=weather.condition,
        temperature_max=scale.temperature(weather.high_c),
        temperature_min=scale.temperature(weather.low_c),
        precipitation=scale.depth(weather.rain_mm),
        precipitation_chance_percent=round(100 * weather.rain_chance),
        rain_warning=weather.rain_mm > warn_above_mm,
        wind_speed=scale.speed(weather.wind_kmh) if "wind" in extras else None,
        uv_index=round(weather.uv_index) if "uv_index" in extras else None,
        sun_hours=round(weather.sun_hours, 1) if "sun" in extras else None,
    )


@server.tool(
    title="Set units",
    description="Choose the units for all later answers that do not ask for units of their own.",
    annotations=_CHANGES,
    structured_output=False,
)
def set_units(
    units: Annotated[Units, Field(title="Units", description="metric: °C, km/h, mm; imperial: °F, mph, in")],
) -> str:
    """Remember the units for as long as the server runs."""
    _Preference.units = units
    names = SCALES[units].names
    return f"Units are now {units}: {names.temperature}, {names.wind_speed}, {names.precipitation}."


def main() -> None:
    """Serve on standard input and output until the client goes away."""
    server.run("stdio")


if __name__ == "__main__":
    main()
