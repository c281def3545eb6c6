import { eq } from "drizzle-orm"
import { media } from "../../../drizzle/schema/media.ts"
import type { Database } from "../../db/client.ts"
import { rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { text } from "../../lib/input/input.ts"
import { ownUrls } from "../../lib/own-urls.ts"
import { originOf, storedUrl } from "../../lib/text/urls.ts"
import { logoFileId } from "../../lib/web/brand.ts"

/** A file of the media library as its path; other URLs unchanged. */
function asStored(url: string): string {
  const path = ownUrls().reduce((shortened, own) => storedUrl(originOf(own), shortened), url)
  return logoFileId(path) === undefined ? url : path
}

// The triggers of media_uses find the path of a file anywhere in a text.
const isLogo = (url: string) =>
  logoFileId(url) !== undefined || (/^https?:\/\/\S+$/i.test(url) && !url.includes("/api/media/"))

/** The logo of the academy or a portal: a URL, or the path of an image of the media library. */
export const logoUrl = () =>
  text(2000)
    .transform(asStored)
    .refine(isLogo, { error: "must be an http(s) URL or the path of an image such as /api/media/12/file" })
    .openapi({ type: "string", format: "uri-reference", maxLength: 2000 })

/** Selects the file of a new logo. */
export const selectLogo = (db: Database, url: string | null | undefined) =>
  db
    .select({ kind: media.kind })
    .from(media)
    .where(eq(media.id, logoFileId(url) ?? 0))

/**
 * The statements that a new logo needs. A logo is public, so only callers who may see the media library may choose one.
 * @throws 403, 422 if it is no image
 */
export function requireLogo(work: UnitOfWork, url: string | null | undefined, files: { kind: string }[]) {
  const { caller } = work
  const id = logoFileId(url)
  if (id === undefined) return []
  if (caller.kind === "key" && caller.grant?.families?.includes("Media") === false)
    throw forbidden("This API key cannot call operations of Media.", "key_scope_insufficient")
  if (files[0]?.kind !== "image") throw invalid("logoUrl", `logoUrl does not refer to an image: ${url}.`)
  return [work.guard(rowExists(media, eq(media.id, id)))]
}
