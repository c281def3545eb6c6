/** Every loader, so that tests can load everything up front. */
const loaders = new Set<() => Promise<unknown>>()

/**
 * Loads a module on the first call and caches it. In the tests' runtime an import is I/O of the request that starts
 * it, which no other request may await.
 * @param load `() => import("…")`
 */
export function onDemand<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let module: Module | undefined
  const loadOnce = async () => {
    module ??= await load()
    return module
  }
  loaders.add(loadOnce)
  return loadOnce
}

/** Loads every module, including those that loaded modules import on demand. For tests. */
export async function loadEverything(): Promise<void> {
  for (const load of loaders) await load()
}
