// @ts-check
// Understands and says words with the browser's Web Speech API, and tells what came of it. Which words, and when, is
// decided in Python (tabwise/ui/voice.py). What is said is said by a voice of this computer, never by one elsewhere.
"use strict";

/** @param {(event: object) => void} tell */
var tabwiseSpeech = (tell) => {
  const scope = /** @type {any} */ (globalThis);
  /** @type {any} */
  let recogniser = null;

  /** @param {string} language */
  const voiceOf = async (language) => {
    if (!speechSynthesis.getVoices().length) {
      await new Promise((resolve) => {
        speechSynthesis.addEventListener("voiceschanged", resolve, { once: true });
        setTimeout(resolve, 1_000);
      });
    }
    const here = speechSynthesis.getVoices().filter((voice) => voice.localService);
    const speaks = (/** @type {string} */ wanted) => here.find(({ lang }) => lang.replace("_", "-").startsWith(wanted));
    return speaks(language) ?? speaks(language.slice(0, 2));
  };

  return {
    /** @param {string} language */
    listen(language) {
      const Recogniser = scope.SpeechRecognition ?? scope.webkitSpeechRecognition;
      if (!Recogniser) return tell({ type: "voice_error", error: "unsupported" });
      recogniser?.abort();
      const mine = new Recogniser();
      recogniser = mine;
      Object.assign(mine, { lang: language, interimResults: true, continuous: true });
      mine.onresult = (/** @type {any} */ { results }) => {
        const text = [...results].map(([best]) => best.transcript).join(" ");
        tell({ type: "voice_heard", text: text.replace(/\s+/g, " ").trim().toWellFormed() });
      };
      mine.onerror = (/** @type {any} */ { error }) => recogniser === mine && tell({ type: "voice_error", error });
      mine.onend = () => {
        if (recogniser !== mine) return;
        recogniser = null;
        tell({ type: "voice_ended" });
      };
      mine.start();
    },
    unlisten: () => recogniser?.stop(),
    /** @param {string} text @param {string} language */
    async utter(text, language) {
      const voice = await voiceOf(language);
      if (!voice) return tell({ type: "voice_error", error: "no-voice" });
      const said = Object.assign(new SpeechSynthesisUtterance(text), { lang: language, voice });
      said.onend = () => tell({ type: "voice_uttered" });
      said.onerror = ({ error }) => error === "canceled" || error === "interrupted" || tell({ type: "voice_uttered" });
      speechSynthesis.speak(said);
    },
    hush: () => speechSynthesis.cancel(),
    end() {
      recogniser?.abort();
      recogniser = null;
      speechSynthesis.cancel();
    },
  };
};
