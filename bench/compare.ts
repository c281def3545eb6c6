// npm run bench -- compare --a http://localhost:9001 --b http://localhost:9002: sends the same requests to two running
// services in turn, such as two versions of this one, so that other load affects both. Prints b's times divided by a's.

import { flags, integer } from "../scripts/lib/cli.ts"
import { type Connection, call, connect, PASSWORD } from "../scripts/lib/client.ts"
import { quantile } from "./lib/numbers.ts"

const values = flags(
  "npm run bench -- compare",
  "Asks two running services the same in turn, and prints b's times over a's.",
  {
    a: { type: "string", value: "address", default: "http://localhost:9001", about: "where the one is" },
    b: { type: "string", value: "address", default: "http://localhost:9002", about: "where the other is" },
    email: { type: "string", value: "address", default: "owner@example.com", about: "who calls it" },
    password: { type: "string", default: PASSWORD, about: "their password" },
    rounds: { type: "string", value: "n", default: "1500", about: "how often each is asked each path" },
  },
)
const rounds = integer("rounds", values.rounds)

const PATHS = [
  "/api/userType/lookup",
  "/api/user/1",
  "/api/users/tabularlist?page_size=50&page_number=1",
  "/api/courses/tabularlist?page_size=50&page_number=1",
  "/api/nothing",
]
/** Requests before the first that counts. */
const WARM_UP = 300

async function milliseconds(connection: Connection, path: string): Promise<number> {
  const began = performance.now()
  await (await call(connection, "GET", path)).arrayBuffer()
  return performance.now() - began
}

const a = await connect(values.a, values.email, values.password)
const b = await connect(values.b, values.email, values.password)
for (const path of PATHS) {
  const times: [number[], number[]] = [[], []]
  for (let round = -WARM_UP; round < rounds; round++) {
    const pair: [number, number] =
      round % 2 === 0
        ? [await milliseconds(a, path), await milliseconds(b, path)]
        : ([await milliseconds(b, path), await milliseconds(a, path)].reverse() as [number, number])
    if (round < 0) continue
    times[0].push(pair[0])
    times[1].push(pair[1])
  }
  const ratio = (share: number) => (quantile(times[1], share) / quantile(times[0], share)).toFixed(2)
  console.info(
    `${path.padEnd(54)} a ${quantile(times[0], 0.5).toFixed(2)} ms, b ${quantile(times[1], 0.5).toFixed(2)} ms; ` +
      `b/a: fastest tenth ${ratio(0.1)}, median ${ratio(0.5)}, slowest tenth ${ratio(0.9)}`,
  )
}
