import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js"

/** A zip of texts by their paths. */
export async function createZip(files: Record<string, string>): Promise<File> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [path, text] of Object.entries(files))
    await writer.add(path, new Uint8ArrayReader(new TextEncoder().encode(text)))
  return new File([new Uint8Array(await writer.close())], "package.zip")
}
