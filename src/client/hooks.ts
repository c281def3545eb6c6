import type { Fetch } from "./send.ts"

/** Called for every attempt of every request, sign-ins included, for example to log or measure them. */
export interface Hooks {
  /** May change the headers. An error that it throws fails the attempt. */
  onRequest?: (request: Request) => void | Promise<void>
  /** Called for every status. Read a clone if you need the body. */
  onResponse?: (response: Response, request: Request) => void | Promise<void>
}

export const withHooks =
  (fetch: Fetch, { onRequest, onResponse }: Hooks): Fetch =>
  async (request, init) => {
    await onRequest?.(request)
    const response = await fetch(request, init)
    await onResponse?.(response, request)
    return response
  }
