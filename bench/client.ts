// What the benchmarks share: one signed-in client of a running service.
import { setTimeout as sleep } from "node:timers/promises"

export interface Connection {
  url: string
  token: string
}

/** Signs in. @throws with the service's own message */
export async function connect(url: string, email: string, password: string): Promise<Connection> {
  const connection = { url, token: "" }
  const answer = await call(connection, "POST", "/login", { email, password }).catch((error) => {
    throw new Error(`${url} does not answer (${error.cause?.code ?? error}). Start it with npm start.`)
  })
  const body = (await answer.json()) as { token?: string; message?: string }
  if (!body.token) throw new Error(`Signing in as ${email}: ${body.message ?? answer.status}`)
  return { url, token: body.token }
}

/** One call. Waits as long as a 429 says and asks again; tries again when the connection breaks. */
export async function call(
  { url, token }: Connection,
  method: string,
  path: string,
  body?: object | FormData,
  headers: Record<string, string> = {},
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(new URL(path, url), {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(60_000),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !(body instanceof FormData) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    }).catch((error) => {
      if (attempt === 5) throw error
    })
    if (!answer) await sleep(attempt * 500)
    else if (answer.status !== 429) return answer
    else {
      await answer.body?.cancel()
      await sleep(Number(answer.headers.get("retry-after") ?? 1) * 1000)
    }
  }
}

/** The answer's JSON. @throws with the service's own message when it is an error */
export async function json<T>(answer: Response): Promise<T> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as T
}

/** Runs `work` on every item, `width` at a time. */
export async function each<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
