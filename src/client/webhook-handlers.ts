import type { LecternEvent } from "./types.ts"
import { verifyWebhook, WebhookError } from "./webhooks.ts"

export interface WebhookHandlerOptions {
  /** `whsec_…`, or several: one must match. */
  secret: string | readonly string[]
  /**
   * Processes an event. A message may be delivered more than once: store the `id` of each event. If it throws, the
   * response is an error, and the message is delivered again.
   */
  onEvent: (event: LecternEvent) => void | Promise<void>
  /** Maximum difference between timestamp and local time in seconds; default 300. */
  toleranceSeconds?: number
}

const verified = (
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  { secret, toleranceSeconds }: WebhookHandlerOptions,
) => verifyWebhook(body, headers, secret, toleranceSeconds === undefined ? {} : { toleranceSeconds })

/**
 * Handles a webhook request of any runtime with `Request` and `Response`: Workers, Deno, Bun, Next.js.
 * @returns 204, or 401 for a message that is not authentic
 * @throws what `onEvent` throws
 */
export async function handleWebhook(request: Request, options: WebhookHandlerOptions): Promise<Response> {
  let event: LecternEvent
  try {
    event = await verified(await request.text(), request.headers, options)
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 401 })
    throw error
  }
  await options.onEvent(event)
  return new Response(null, { status: 204 })
}

/** A handler for Hono: `app.post("/hooks", honoWebhook({ secret, onEvent }))`. */
export const honoWebhook =
  (options: WebhookHandlerOptions) =>
  (c: { req: { raw: Request } }): Promise<Response> =>
    handleWebhook(c.req.raw, options)

/** The parts of an Express request. `body` is set by a body parser. */
interface ExpressRequest extends AsyncIterable<Uint8Array> {
  headers: Record<string, string | string[] | undefined>
  body?: unknown
}
interface ExpressResponse {
  status(code: number): { end(text?: string): unknown }
}

async function rawBody(request: ExpressRequest): Promise<string | Uint8Array> {
  const { body } = request
  if (typeof body === "string" || body instanceof Uint8Array) return body
  if (body !== undefined)
    throw new TypeError("The body was parsed already, but its signature is over the bytes: mount this before parsers.")
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of request) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/**
 * A handler for Express: `app.post("/hooks", expressWebhook({ secret, onEvent }))`. It needs the raw body: mount it
 * before `express.json()`, or behind `express.raw({ type: "*\/*" })`.
 */
export const expressWebhook =
  (options: WebhookHandlerOptions) =>
  async (request: ExpressRequest, response: ExpressResponse, next: (error: unknown) => void): Promise<void> => {
    try {
      const event = await verified(await rawBody(request), request.headers, options)
      await options.onEvent(event)
      response.status(204).end()
    } catch (error) {
      if (error instanceof WebhookError) response.status(401).end(error.message)
      else next(error)
    }
  }
