const SCRIPT = "/assets/service-worker.js"

/** The console's files that this page has loaded. */
const loadedFiles = () =>
  performance
    .getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((url) => url.startsWith(`${location.origin}/assets/`))

/** Registers the service worker, and gives it the files that were loaded before it ran. */
export function registerServiceWorker() {
  if (!("serviceWorker" in navigator)) return
  const { serviceWorker } = navigator
  const handOver = async () => {
    const { active } = await serviceWorker.ready
    active?.postMessage({ type: "loaded", page: location.href, files: loadedFiles() })
  }
  // A browser that refuses it, such as in a private window, has no offline use.
  serviceWorker.register(SCRIPT, { scope: "/console" }).then(handOver, () => undefined)
  serviceWorker.addEventListener("controllerchange", handOver)
}
