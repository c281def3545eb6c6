// Round-trip times between regions, in milliseconds, and where Cloudflare runs each part of the service.

/**
 * Average round-trip times that IBM Cloud measured between its regions from 28 September to 27 October 2024:
 * https://cloud.ibm.com/docs/vpc?topic=vpc-network-latency-dashboard, read on 25 November 2026.
 */
const MEASURED = {
  Frankfurt: { London: 13, Washington: 92, Dallas: 123, "Sao Paulo": 197, Tokyo: 231, Osaka: 232, Sydney: 250 },
  London: { Washington: 76, Dallas: 114, "Sao Paulo": 188, Tokyo: 242, Osaka: 244, Sydney: 261 },
  Washington: { Dallas: 31, "Sao Paulo": 119, Tokyo: 169, Osaka: 175, Sydney: 214 },
  Dallas: { "Sao Paulo": 144, Tokyo: 141, Osaka: 150, Sydney: 185 },
  "Sao Paulo": { Tokyo: 283, Osaka: 292, Sydney: 328 },
  Tokyo: { Osaka: 9, Sydney: 115 },
  Osaka: { Sydney: 122 },
} as const satisfies Record<string, Record<string, number>>

export type Region = keyof typeof MEASURED | "Sydney"

/** Between two data centers of one region: the same table has 0.1 to 2.5 ms. */
const WITHIN_REGION = 2

/** From a client to the nearest edge. An assumption: Cloudflare states 50 ms or less for 95 % of people. */
export const ACCESS = 10

export const CLIENT_REGIONS = ["Frankfurt", "Washington", "Sao Paulo", "Tokyo", "Sydney"] as const satisfies Region[]
export const PRIMARY_REGION: Region = "Frankfurt"

/** D1 has no replicas, and Durable Objects are not created, in South America and Africa. */
const DATA_REGIONS = ["Frankfurt", "London", "Washington", "Dallas", "Tokyo", "Sydney"] as const satisfies Region[]

export function roundTrip(from: Region, to: Region): number {
  if (from === to) return WITHIN_REGION
  const table: Record<string, Record<string, number>> = MEASURED
  const found = table[from]?.[to] ?? table[to]?.[from]
  if (found === undefined) throw new Error(`No round-trip time between ${from} and ${to}.`)
  return found
}

/** The nearest region with D1 replicas and Durable Objects. */
export const nearestData = (to: Region): Region =>
  DATA_REGIONS.reduce((nearest, region) => (roundTrip(to, region) < roundTrip(to, nearest) ? region : nearest))

export const isRegion = (text: string | null): text is Region =>
  text !== null && (text === "Sydney" || text in MEASURED)
