import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js"
import { post } from "../helpers/client.ts"

const ITEM = (parameters: string) =>
  [
    '<organizations default="O"><organization identifier="O"><title>Fire &amp; Safety</title>',
    `<item identifier="I0"><title>Part</title><item identifier="I" identifierref="R"${parameters}>`,
    "<title>Page</title></item></item></organization></organizations>",
  ].join("")

/** An imsmanifest.xml as written by authoring tools. */
export const manifest12 = (href = "index.html") =>
  `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="M" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>${ITEM("")}
<resources><resource identifier="R" type="webcontent" adlcp:scormtype="sco" href="${href}"><file href="${href}"/>
</resource></resources></manifest>`

export const manifest2004 = (href = "start page.html") =>
  `<?xml version="1.0"?>
<imscp:manifest xmlns:imscp="http://www.imsglobal.org/xsd/imscp_v1p1"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xml:base="sco/">
<imscp:metadata><imscp:schema>ADL SCORM</imscp:schema><imscp:schemaversion>2004 4th Edition</imscp:schemaversion>
</imscp:metadata>${ITEM(' parameters="?a=1"').replaceAll(/<(\/?)(\w)/g, "<$1imscp:$2")}
<imscp:resources><imscp:resource identifier="R" type="webcontent" adlcp:scormType="sco" href="${encodeURI(href)}"/>
</imscp:resources></imscp:manifest>`

/** Creates a zip of files by their paths. */
export async function zip(files: Record<string, string | Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const [path, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    await writer.add(path, new Uint8ArrayReader(bytes))
  }
  return (await writer.close()) as Uint8Array<ArrayBuffer>
}

export const PACKAGE_12 = {
  "imsmanifest.xml": manifest12(),
  "index.html": "<!doctype html><title>Fire</title><script src=js/app.js></script>",
  "js/app.js": "console.log('fire')",
  "media/clip.mp4": "0123456789",
}
export const PACKAGE_2004 = {
  "imsmanifest.xml": manifest2004(),
  "sco/start page.html": "<!doctype html><title>2004</title>",
}

/** Creates a form with a package. */
export function packageForm(bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.set("package", new File([new Uint8Array(bytes)], "package.zip", { type: "application/zip" }))
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  return form
}

/** Uploads a package as a new module. */
export const uploadPackage = async (files: Record<string, string | Uint8Array>, options: { token?: string } = {}) =>
  post("/api/modules/scorm", packageForm(await zip(files)), options)
