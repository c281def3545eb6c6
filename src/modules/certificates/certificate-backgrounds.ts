import { withCleanup } from "../../db/commit-errors.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { invalid, notFound, tooLarge, unsupported } from "../../lib/errors.ts"
import { hasSignature } from "../../lib/files/file-kinds.ts"
import { flattenPng, readPlainPng, stripPng } from "../../lib/pdf/png.ts"

// Background images of certificates: uploaded PNG and JPEG files. Images of other sites are never fetched.

const MAX_BYTES = 5_000_000
/** Flattening a transparent PNG takes four bytes per pixel of the isolate's 128 MB. */
const MAX_PIXELS = 8_000_000

const PATH = "/api/certificate_template/background/"
const FILE = /^[\w-]{43}\.(png|jpg)$/
const TYPES = { png: "image/png", jpg: "image/jpeg" } as const
type ImageKind = keyof typeof TYPES

interface Size {
  width: number
  height: number
}
type Image = ({ kind: "png" } & Size) | ({ kind: "jpg"; components: 1 | 3 | 4 } & Size)

/** undefined for a number of components that a PDF cannot embed. */
const jpegImage = (components: number, size: Size): Image | undefined =>
  components === 1 || components === 3 || components === 4 ? { kind: "jpg", components, ...size } : undefined

/** Detects the type and dimensions of an image from its content; undefined for anything but PNG and JPEG. */
export function readImage(bytes: Uint8Array): Image | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > 33 && hasSignature(bytes, "png") && view.getUint32(12) === 0x49484452)
    return { kind: "png", width: view.getUint32(16), height: view.getUint32(20) }
  if (!hasSignature(bytes, "jpg")) return undefined
  // The frame header, which has the dimensions, follows other segments.
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at++
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return jpegImage(view.getUint8(at + 4) === 8 ? view.getUint8(at + 9) : 0, {
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
      })
    else at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** Converts a PNG to one that a PDF can embed; undefined when the file is invalid. */
async function embeddablePng(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const image = await stripPng(bytes)
  if (!image || readPlainPng(image)) return image
  try {
    return await flattenPng(image)
  } catch {
    return undefined
  }
}

/** Returns the R2 key of an uploaded image; undefined for an invalid name. */
function keyOf(name: string) {
  const [, kind] = FILE.exec(name) ?? []
  return kind ? { key: `certificates/${name}`, type: TYPES[kind as ImageKind] } : undefined
}

/** Returns the uploaded image of a template's `bg_url`, if there is one. */
const uploadOf = (bgUrl: string) => (bgUrl.startsWith(PATH) ? keyOf(bgUrl.slice(PATH.length)) : undefined)

/** Stores an image in R2 under a random name. @throws 413, 415 by its content, 422 */
export async function storeBackground(work: UnitOfWork, file: File) {
  if (file.size > MAX_BYTES) throw tooLarge(`The image is larger than ${MAX_BYTES / 1_000_000} MB.`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const image = readImage(bytes)
  if (!image) throw unsupported("file must be a PNG or a JPEG image.")
  const { kind, width, height } = image
  if (width * height === 0) throw invalid("file", "file is an empty image.")
  if (width * height > MAX_PIXELS)
    throw tooLarge(`The image has ${width} × ${height} pixels; it may have ${MAX_PIXELS / 1_000_000} million.`)
  const content = kind === "png" ? await embeddablePng(bytes) : bytes
  if (!content) throw unsupported("file is an image that cannot be read. Save it again in an image editor.")
  const name = `${randomToken()}.${kind}`
  const bucket = work.env.FILES
  await bucket.put(`certificates/${name}`, content, { httpMetadata: { contentType: TYPES[kind] } })
  return withCleanup(
    () => bucket.delete(`certificates/${name}`),
    () =>
      work.commit(
        [work.audit("created", "certificate background", { id: null, name }, { width, height, bytes: file.size })],
        { storage_url: `${PATH}${name}`, message: "Image uploaded." },
      ),
  )
}

/** Returns the `bg_url` to store: for an image of this service, its path without the origin. */
export function bgUrlToStore(bgUrl: string, origin: string): string {
  const url = URL.canParse(bgUrl) ? new URL(bgUrl) : undefined
  return url?.origin === new URL(origin).origin && url.pathname.startsWith(PATH) ? url.pathname : bgUrl
}

/** Returns the absolute URL of a stored `bg_url`. */
export const absoluteBgUrl = (bgUrl: string, origin: string) => (bgUrl.startsWith(PATH) ? `${origin}${bgUrl}` : bgUrl)

/** @throws 422 when `bg_url` is not an uploaded image */
export async function requireBackground(bucket: R2Bucket, bgUrl: string) {
  if (bgUrl === "") return
  const upload = uploadOf(bgUrl)
  if (!upload)
    throw invalid(
      "bg_url",
      [
        "bg_url must be the storage_url of an image that was uploaded to /api/certificate_template/upload.",
        "Images of other sites are not fetched.",
      ].join(" "),
    )
  if (!(await bucket.head(upload.key))) throw invalid("bg_url", "bg_url does not refer to an uploaded image.")
}

/** Returns the R2 key and media type of an uploaded image. @throws 404 for an invalid name */
export function backgroundFile(name: string) {
  const found = keyOf(name)
  if (!found) throw notFound("image")
  return { ...found, filename: `background${name.slice(name.lastIndexOf("."))}` }
}

/** Returns the file of a template's background. @throws 404 when it has none */
export const storedBackground = (bgUrl: string) =>
  backgroundFile(bgUrl.startsWith(PATH) ? bgUrl.slice(PATH.length) : "")

/** Reads the background of a template, if there is one. */
export async function readBackground(bucket: R2Bucket, bgUrl: string) {
  const upload = uploadOf(bgUrl)
  const object = upload && (await bucket.get(upload.key))
  if (!object || !upload) return undefined
  const bytes = new Uint8Array(await object.arrayBuffer())
  const image = readImage(bytes)
  if (image?.kind === "jpg") return { kind: "jpg", picture: { ...image, data: bytes } } as const
  const picture = image && readPlainPng(bytes)
  return picture && ({ kind: "png", picture } as const)
}
