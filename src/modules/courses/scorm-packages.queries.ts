import { withCleanup } from "../../db/commit-errors.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { invalid } from "../../lib/errors.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { truncate } from "../../lib/text/text.ts"
import { createModule, type NewModule, updateModule } from "./modules.queries.ts"
import type { StoredPackage } from "./scorm-package.ts"

/** The points of a SCORM module. */
export const SCORM_POINTS = 100

// Loads the zip and XML readers on demand.
const scormPackage = onDemand(() => import("./scorm-package.ts"))

/** Stores a package; its files are deleted if `use` fails. */
async function withPackage<T>(work: UnitOfWork, file: File, use: (stored: StoredPackage) => Promise<T>): Promise<T> {
  const { storePackage } = await scormPackage()
  const stored = await storePackage(work.env.FILES, file)
  return withCleanup(stored.discard, () => use(stored))
}

/** @throws 413, 415, 422 for an invalid package, or if neither the request nor the package has a name */
export const createScormModule = (
  work: UnitOfWork,
  { package: file, ...input }: Omit<NewModule, "name"> & { name?: string | undefined; package: File },
) =>
  withPackage(work, file, ({ title, columns }) => {
    const name = input.name ?? truncate(title, 100)
    if (!name) throw invalid("name", "name is required: the package has no title.")
    return createModule(work, "scorm", { ...input, name }, { ...columns, totalPoints: SCORM_POINTS })
  })

/** @throws 404, 412; 413, 415, 422 for an invalid package */
export const replacePackage = (work: UnitOfWork, id: number, file: File, expectedVersion?: number) =>
  withPackage(work, file, ({ columns }) => updateModule(work, "scorm", id, {}, columns, expectedVersion))
