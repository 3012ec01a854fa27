// @ts-check
// Facts of the machine that a worker can see; what they mean is decided in tabwise/engine/doctor.py.

/** @returns {Promise<string>} JSON, as tabwise/adapters/browser/facts.py reads it */
export async function surroundings() {
  const { usage, quota } = await navigator.storage.estimate();
  return JSON.stringify({
    n_threads: navigator.hardwareConcurrency,
    is_isolated: self.crossOriginIsolated,
    storage_used_bytes: usage ?? null,
    storage_quota_bytes: quota ?? null,
    gpu: await gpu(),
  });
}

async function gpu() {
  const adapter = await /** @type {any} */ (navigator).gpu?.requestAdapter();
  if (!adapter) return { name: "", is_software: false, has_f16: false };
  const { vendor, architecture, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture].filter(Boolean).join(" ");
  return { name: name || "unnamed", is_software: Boolean(isFallbackAdapter), has_f16: adapter.features.has("shader-f16") };
}
