import type { Context } from "hono"
import { unavailable } from "../../lib/errors.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { GUIDES } from "../../pages/guides.ts"
import { llmsText } from "../../pages/llms.ts"
import type { Connection } from "./operations.ts"
import { RpcError, resourcesReadParams } from "./protocol.ts"
import { readRecordAt, recordTemplates } from "./records.ts"

// The guides as resources. Their URIs are the public pages of the guides. Templates also have records.

const MARKDOWN = "text/markdown"

const guideUri = (base: string, name: string) => `${base}/docs/guides/${name}.md`
const indexUri = (base: string) => `${base}/llms.txt`
export const guideTemplateUri = (base: string) => guideUri(base, "{name}")

/** What `resources/list` returns. */
export function listResources(c: Context<AppEnv>) {
  const base = baseUrl(c)
  return {
    resources: [
      {
        uri: indexUri(base),
        name: "index",
        title: "Index",
        description: "All guides, and the parts of the OpenAPI document",
        mimeType: "text/plain",
      },
      ...GUIDES.map(({ name, title, about }) => ({
        uri: guideUri(base, name),
        name,
        title,
        description: about,
        mimeType: MARKDOWN,
      })),
    ],
  }
}

/** What `resources/templates/list` returns. */
export const listResourceTemplates = async (connection: Connection) => ({
  resourceTemplates: [
    {
      uriTemplate: guideTemplateUri(baseUrl(connection.c)),
      name: "guide",
      title: "Guide",
      description: "A guide of the API by its name, such as users",
      mimeType: MARKDOWN,
    },
    ...(await recordTemplates(connection)),
  ],
})

/** What `resources/read` returns. @throws RpcError for an unknown URI */
export async function readResource(connection: Connection, params: unknown) {
  const { c } = connection
  const { data } = resourcesReadParams.safeParse(params)
  if (!data) throw new RpcError("invalidParams", "resources/read requires the uri of a resource.")
  const { uri } = data
  const base = baseUrl(c)
  if (uri === indexUri(base)) return { contents: [{ uri, mimeType: "text/plain", text: llmsText(base) }] }
  const guide = GUIDES.find(({ name }) => uri === guideUri(base, name))
  if (!guide) {
    const record = await readRecordAt(connection, uri)
    if (record) return record
    throw new RpcError("resourceNotFound", `Unknown resource: ${uri}`)
  }
  const asset = await c.env.ASSETS.fetch(new URL(`/assets/guides/${guide.name}.md`, c.req.url))
  if (!asset.ok) throw unavailable("The guide is temporarily unavailable. Try again in a few seconds.")
  return { contents: [{ uri, mimeType: MARKDOWN, text: await asset.text() }] }
}
