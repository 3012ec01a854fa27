"""What the engine needs from outside, as Protocols with as few methods as it calls.

Each port has one contract suite in tests/contract; the fakes there and the real adapters all run it.
"""

from tabwise.ports.copies import Eraser, LibraryCopies, LibraryMarker
from tabwise.ports.decoding import Decoder, Decoders
from tabwise.ports.host import Clock, HostFactsSource, SettingsSource
from tabwise.ports.library import PartRow, Store, SummaryStore
from tabwise.ports.model_files import ModelFolders, OwnEmbedders
from tabwise.ports.models import (
    Embedder,
    LanguageModel,
    LanguageModels,
    ScoringModel,
    Summarizer,
    TokenCounter,
)
from tabwise.ports.network import EgressLedger, Http, HttpResponse, Inspection, KeyPlace, Keys, ProviderTester
from tabwise.ports.pages import (
    Captured,
    FileReader,
    MainContent,
    OnPage,
    PageSource,
    PassageViewer,
    ShownPassage,
    unwatched,
)
from tabwise.ports.threads import ThreadStore
from tabwise.ports.vectors import VectorStore, VectorStores

__all__ = [
    "Captured",
    "Clock",
    "Decoder",
    "Decoders",
    "EgressLedger",
    "Embedder",
    "Eraser",
    "FileReader",
    "HostFactsSource",
    "Http",
    "HttpResponse",
    "Inspection",
    "KeyPlace",
    "Keys",
    "LanguageModel",
    "LanguageModels",
    "LibraryCopies",
    "LibraryMarker",
    "MainContent",
    "ModelFolders",
    "OnPage",
    "OwnEmbedders",
    "PageSource",
    "PartRow",
    "PassageViewer",
    "ProviderTester",
    "ScoringModel",
    "SettingsSource",
    "ShownPassage",
    "Store",
    "Summarizer",
    "SummaryStore",
    "ThreadStore",
    "TokenCounter",
    "VectorStore",
    "VectorStores",
    "unwatched",
]
