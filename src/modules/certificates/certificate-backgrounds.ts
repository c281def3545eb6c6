import { withCleanup } from "../../db/commit-errors.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { invalid, notFound, tooLarge, unsupported } from "../../lib/errors.ts"
import { beginsAs } from "../../lib/files/file-kinds.ts"
import { flattened, pictureOf, plainPicture } from "../../lib/pdf/png.ts"

// The images behind certificates: PNG and JPEG files that were uploaded here. Nothing is ever fetched from elsewhere.

const MOST_BYTES = 5_000_000
/** A PNG with transparency is unpacked to be flattened: four bytes a pixel of a Worker's 128 MB. */
const MOST_PIXELS = 8_000_000

const PATH = "/api/certificate_template/background/"
const FILE = /^[\w-]{43}\.(png|jpg)$/
const TYPES = { png: "image/png", jpg: "image/jpeg" } as const
type ImageKind = keyof typeof TYPES

interface Size {
  width: number
  height: number
}
type Image = ({ kind: "png" } & Size) | ({ kind: "jpg"; colors: 1 | 3 | 4 } & Size)

/** A JPEG with as many samples a pixel as a PDF takes. */
const jpegOf = (colors: number, size: Size): Image | undefined =>
  colors === 1 || colors === 3 || colors === 4 ? { kind: "jpg", colors, ...size } : undefined

/** What an image is by its content: PNG or JPEG, and how large; undefined for anything else. */
export function readImage(bytes: Uint8Array): Image | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length > 33 && beginsAs(bytes, "png") && view.getUint32(12) === 0x49484452)
    return { kind: "png", width: view.getUint32(16), height: view.getUint32(20) }
  if (!beginsAs(bytes, "jpg")) return undefined
  // Segment by segment to the frame's header, which says the size.
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at++
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return jpegOf(view.getUint8(at + 4) === 8 ? view.getUint8(at + 9) : 0, {
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
      })
    else at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** A PNG whose data a PDF takes as they are; undefined for what is no picture. */
async function drawablePng(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const picture = await pictureOf(bytes)
  if (!picture || plainPicture(picture)) return picture
  try {
    return await flattened(picture)
  } catch {
    return undefined
  }
}

/** The key in the bucket of an uploaded image; undefined for a name that none has. */
function keyOf(name: string) {
  const [, kind] = FILE.exec(name) ?? []
  return kind ? { key: `certificates/${name}`, type: TYPES[kind as ImageKind] } : undefined
}

/** The uploaded image that a template's `bg_url` names; undefined for none, and for a URL of another origin. */
const uploadOf = (bgUrl: string) => (bgUrl.startsWith(PATH) ? keyOf(bgUrl.slice(PATH.length)) : undefined)

/** Puts an image into the bucket under a random name. @throws 413, 415 by its content, 422 */
export async function storeBackground(work: UnitOfWork, file: File) {
  if (file.size > MOST_BYTES) throw tooLarge(`The image is larger than ${MOST_BYTES / 1_000_000} MB.`)
  const bytes = new Uint8Array(await file.arrayBuffer())
  const image = readImage(bytes)
  if (!image) throw unsupported("file must be a PNG or a JPEG image.")
  const { kind, width, height } = image
  if (width * height === 0) throw invalid("file", "file is an image without a size.")
  if (width * height > MOST_PIXELS)
    throw tooLarge(`The image has ${width} × ${height} pixels; it may have ${MOST_PIXELS / 1_000_000} million.`)
  const picture = kind === "png" ? await drawablePng(bytes) : bytes
  if (!picture) throw unsupported("file is an image that cannot be read; save it anew.")
  const name = `${randomToken()}.${kind}`
  const bucket = work.env.FILES
  await bucket.put(`certificates/${name}`, picture, { httpMetadata: { contentType: TYPES[kind] } })
  return withCleanup(
    () => bucket.delete(`certificates/${name}`),
    () =>
      work.commit(
        [work.audit("created", "certificate background", { id: null, name }, { width, height, bytes: file.size })],
        { storage_url: `${PATH}${name}`, message: "Image uploaded." },
      ),
  )
}

/** What a template keeps of a `bg_url`: of an image here its path, by whichever address of this service it came. */
export function keptUrl(bgUrl: string, origin: string): string {
  const url = URL.canParse(bgUrl) ? new URL(bgUrl) : undefined
  return url?.origin === new URL(origin).origin && url.pathname.startsWith(PATH) ? url.pathname : bgUrl
}

/** A kept `bg_url` as clients read it. */
export const shownUrl = (kept: string, origin: string) => (kept.startsWith(PATH) ? `${origin}${kept}` : kept)

/** @throws 422 for what is no uploaded image: it could not be drawn */
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
  if (!(await bucket.head(upload.key))) throw invalid("bg_url", "bg_url names no uploaded image.")
}

/** Where an uploaded image lies. @throws 404 for a name that no upload has */
export function backgroundFile(name: string) {
  const found = keyOf(name)
  if (!found) throw notFound("image")
  return { ...found, filename: `background${name.slice(name.lastIndexOf("."))}` }
}

/** The image that a template is drawn on; undefined for none of ours. */
export async function readBackground(bucket: R2Bucket, bgUrl: string) {
  const upload = uploadOf(bgUrl)
  const object = upload && (await bucket.get(upload.key))
  if (!object || !upload) return undefined
  const bytes = new Uint8Array(await object.arrayBuffer())
  const image = readImage(bytes)
  if (image?.kind === "jpg") return { kind: "jpg", picture: { ...image, data: bytes } } as const
  const picture = image && plainPicture(bytes)
  return picture && ({ kind: "png", picture } as const)
}
