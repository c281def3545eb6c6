// A signed-in client of a running service, for benchmarks and scripts.
import { setTimeout as sleep } from "node:timers/promises"
import { toRequest } from "./request.ts"

/** The password of every sample account. */
export const PASSWORD = "lectern-demo-1"

export interface Connection {
  url: string
  token: string
  /** Sent with every call. */
  headers?: Record<string, string>
}

/** Signs in. @throws with the message of the service */
export async function connect(url: string, email: string, password: string): Promise<Connection & { userId: number }> {
  const connection = { url, token: "" }
  const answer = await call(connection, "POST", "/login", { email, password }).catch((error) => {
    throw new Error(`${url} does not answer (${error.cause?.code ?? error}). Start it with npm start.`)
  })
  const body = (await answer.json()) as { token?: string; user?: { id: number }; message?: string }
  if (!body.token || !body.user) throw new Error(`Signing in as ${email}: ${body.message ?? answer.status}`)
  return { url, token: body.token, userId: body.user.id }
}

/** One call. Retries after a 429, as its header says, and when the connection breaks. */
export async function call(
  { url, token, headers: always }: Connection,
  method: string,
  path: string,
  body?: object | FormData,
  headers: Record<string, string> = {},
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(new URL(path, url), {
      ...toRequest(method, { token, headers: { ...always, ...headers }, body }),
      signal: AbortSignal.timeout(60_000),
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

/** @throws with the message of the service when the answer is an error */
export async function expectOk(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  throw new Error(`${answer.url} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
}

/** The JSON of an answer. @throws with the message of the service when it is an error */
export const json = async <T>(answer: Response): Promise<T> => (await (await expectOk(answer)).json()) as T

/** Runs `work` on every item, with a limited concurrency. */
export async function each<T>(items: readonly T[], width: number, work: (item: T, index: number) => Promise<void>) {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of queue) await work(item, index)
    }),
  )
}
