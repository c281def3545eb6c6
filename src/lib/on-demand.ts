/** Everything that is loaded on demand, as far as its importer is loaded. */
const loaders = new Set<() => Promise<unknown>>()

/**
 * Code that is loaded by the first call that needs it, and kept: later calls import nothing. In the tests' runtime an
 * import is I/O of the call that began it, which no other call may wait for.
 * @param load `() => import("…")`
 */
export function onDemand<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let kept: Module | undefined
  const loaded = async () => {
    kept ??= await load()
    return kept
  }
  loaders.add(loaded)
  return loaded
}

/** Loads it all, in the order of its declaration, and what that loads on demand in turn: for the tests. */
export async function loadEverything(): Promise<void> {
  for (const load of loaders) await load()
}
