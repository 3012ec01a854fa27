// @ts-check
// Creates the offscreen document that carries the engine, once however many ask.

/** @type {Promise<{ created: boolean }> | null} */
let inFlight = null;

/** @returns {Promise<{ created: boolean }>} */
export function ensureEngine() {
  inFlight ??= createUnlessThere().finally(() => {
    inFlight = null;
  });
  return inFlight;
}

async function createUnlessThere() {
  if (await isThere()) return { created: false };
  try {
    await chrome.offscreen.createDocument({
      url: "offscreen.html",
      reasons: [chrome.offscreen.Reason.WORKERS],
      justification: "Runs the local search engine in Web Workers.",
    });
  } catch (error) {
    // An earlier life of this service worker may have been creating it when it was stopped.
    if (!(await isThere())) throw error;
    return { created: false };
  }
  return { created: true };
}

async function isThere() {
  const contexts = await chrome.runtime.getContexts({
    contextTypes: [chrome.runtime.ContextType.OFFSCREEN_DOCUMENT],
    documentUrls: [chrome.runtime.getURL("offscreen.html")],
  });
  return contexts.length > 0;
}
