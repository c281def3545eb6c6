import type { Call } from "./driver.ts"

// One call of every operation of the media library.

/** A file that begins like an MP4 video. */
const VIDEO = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2\0\0\0\x08free", "latin1")
const PAGE = { page_size: 2, page_number: 1 }
const TUS = { "tus-resumable": "1.0.0" }
const BYTES = { ...TUS, "content-type": "application/offset+octet-stream" }

export async function callMedia(staff: Call) {
  const start = {
    ...BYTES,
    "upload-length": String(VIDEO.length),
    "upload-metadata": `filename ${Buffer.from("Bowline.mp4").toString("base64")}`,
  }
  await staff("createMediaUpload", { headers: start, body: new Uint8Array(VIDEO) })
  const { records } = await staff("listMedia", { query: PAGE })
  const path = { id: Number(records[0].id) }
  await staff("createMediaUpload", { headers: start, body: new Uint8Array(VIDEO.subarray(0, 8)) })
  const upload = { id: path.id + 1 }
  await staff("getMediaUpload", { path: upload })
  await staff("continueMediaUpload", {
    path: upload,
    headers: { ...BYTES, "upload-offset": "8" },
    body: new Uint8Array(VIDEO.subarray(8, 12)),
  })
  await staff("cancelMediaUpload", { path: upload, headers: TUS })
  await staff("getMedia", { path })
  await staff("updateMedia", { path, body: { name: "Bowline", transcript: "Good morning." } })
  const content = "WEBVTT\n\n00:00.000 --> 00:02.000\nGood morning."
  await staff("saveCaptions", { path: { ...path, language: "en" }, body: { content } })
  await staff("getCaptions", { path: { ...path, language: "en" } })
  await staff("deleteCaptions", { path, body: { language: "en" } })
  await staff("downloadMedia", { path })
  await staff("linkMedia", { path })
  await staff("deleteMedia", { body: { delete_ids: [path.id] } })
}
