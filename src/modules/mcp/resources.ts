import type { Context } from "hono"
import { unavailable } from "../../lib/errors.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { GUIDES } from "../../pages/guides.ts"
import { llmsText } from "../../pages/llms.ts"
import { completeParams, RpcError, resourcesReadParams } from "./protocol.ts"

// The guides as resources. Their URIs are the public pages of the guides.

const MARKDOWN = "text/markdown"
/** The maximum number of values in a completion, by the protocol. */
const MAX_COMPLETIONS = 100

const guideUri = (base: string, name: string) => `${base}/docs/guides/${name}.md`
const indexUri = (base: string) => `${base}/llms.txt`
const templateUri = (base: string) => guideUri(base, "{name}")

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
export const listResourceTemplates = (c: Context<AppEnv>) => ({
  resourceTemplates: [
    {
      uriTemplate: templateUri(baseUrl(c)),
      name: "guide",
      title: "Guide",
      description: "A guide of the API by its name, such as users",
      mimeType: MARKDOWN,
    },
  ],
})

/** What `resources/read` returns. @throws RpcError for an unknown URI */
export async function readResource(c: Context<AppEnv>, params: unknown) {
  const { data } = resourcesReadParams.safeParse(params)
  if (!data) throw new RpcError("invalidParams", "resources/read requires the uri of a resource.")
  const { uri } = data
  const base = baseUrl(c)
  if (uri === indexUri(base)) return { contents: [{ uri, mimeType: "text/plain", text: llmsText(base) }] }
  const guide = GUIDES.find(({ name }) => uri === guideUri(base, name))
  if (!guide) throw new RpcError("resourceNotFound", `Unknown resource: ${uri}`)
  const asset = await c.env.ASSETS.fetch(new URL(`/assets/guides/${guide.name}.md`, c.req.url))
  if (!asset.ok) throw unavailable("The guide is temporarily unavailable. Try again in a few seconds.")
  return { contents: [{ uri, mimeType: MARKDOWN, text: await asset.text() }] }
}

/** What `completion/complete` returns: the names of guides. @throws RpcError for anything else to complete */
export function complete(c: Context<AppEnv>, params: unknown) {
  const { data } = completeParams.safeParse(params)
  if (!data) throw new RpcError("invalidParams", "completion/complete requires a ref and an argument.")
  const { ref, argument } = data
  if (ref.type !== "ref/resource" || ref.uri !== templateUri(baseUrl(c)) || argument.name !== "name")
    throw new RpcError("invalidParams", "Only the argument name of the guide template can be completed.")
  const values = GUIDES.map(({ name }) => name).filter((name) => name.startsWith(argument.value.toLowerCase()))
  return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore: false } }
}
