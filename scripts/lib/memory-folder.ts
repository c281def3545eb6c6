import { existsSync, statfsSync } from "node:fs"

/** @returns the folder of a memory file system with at least 1 GB of space, in which tests store their files */
export function memoryFolder(): string | undefined {
  const folder = "/dev/shm"
  if (!existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < 2 ** 30 ? undefined : folder
}
