import ipaddr from "ipaddr.js"
import type { Bindings } from "../../env.ts"
import { SECOND } from "../clock.ts"

// What this service asks of others at addresses that its administrators name: providers, receivers of events.

/** Names that lead to this machine or its network. */
const PRIVATE_NAMES = /^(localhost|.+\.(localhost|local|internal|home\.arpa))\.?$/i

/** Of IPv6 only global unicast is assigned to anybody; the library takes what is unassigned for unicast, too. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * May an IP address be called? Only one that stands on the public internet: no loopback, private, link-local, shared,
 * multicast, documentation or reserved range of IANA's registries, nor one that embeds or tunnels another address.
 * @param address IPv4, or IPv6 without brackets; anything else is not public
 */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast") return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** The IP address that a URL's host is, as every URL writes it in one way; undefined for a name. */
function addressIn(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1)
  return ipaddr.IPv4.isValid(host) ? host : undefined
}

/** Is a host, as a URL has it, one of this machine, of its network, or nobody's? */
function isPrivateHost(host: string): boolean {
  const address = addressIn(host)
  return address === undefined ? PRIVATE_NAMES.test(host) || !host.includes(".") : !isPublicAddress(address)
}

/** Does this machine call plain HTTP and private addresses? A developer's may; a deployment never does. */
const callsPrivate = (env: Bindings) => env.ENVIRONMENT === "development" && env.OUTBOUND_PRIVATE === "allow"

/** An address that may be called: HTTPS, no user or password in it, and no private host. undefined: it may not. */
export function outboundUrl(env: Bindings, address: string): URL | undefined {
  const url = URL.parse(address)
  if (!url || url.username || url.password) return undefined
  if (callsPrivate(env) && /^https?:$/.test(url.protocol)) return url
  return url.protocol === "https:" && !isPrivateHost(url.hostname) ? url : undefined
}

/** What a resolver answers, as DNS over HTTPS has it in JSON. */
interface Resolved {
  Answer?: { type: number; data: string }[]
}

const ADDRESS_TYPES = { A: 1, AAAA: 28 } as const

/**
 * Looks up where an address leads, unless this machine calls private addresses. On Cloudflare the call itself cannot
 * reach a private network either; this tells the administrator, and protects who runs the Worker elsewhere.
 * @returns false where any of the host's addresses is private, or it has none
 * @throws as `fetch` does where the resolver cannot be reached
 */
export async function resolvesToPublicAddress(env: Bindings, address: string): Promise<boolean> {
  const url = outboundUrl(env, address)
  if (!url) return false
  const { hostname } = url
  if (callsPrivate(env) || addressIn(hostname) !== undefined) return true
  const lookUp = async (type: keyof typeof ADDRESS_TYPES) => {
    const question = `${env.DNS_RESOLVER}?name=${encodeURIComponent(hostname)}&type=${type}`
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetch(question, { headers: { accept: "application/dns-json" }, redirect: "manual", signal })
    if (!response.ok) throw new Error(`The resolver answers ${response.status}.`)
    const { Answer = [] } = (await response.json()) as Resolved
    return Answer.filter((found) => found.type === ADDRESS_TYPES[type]).map(({ data }) => data)
  }
  const found = (await Promise.all([lookUp("A"), lookUp("AAAA")])).flat()
  return found.length > 0 && found.every(isPublicAddress)
}

/** How long whoever is called may take, their whole answer included. */
const PATIENCE = 5 * SECOND

/**
 * Calls an address that `outboundUrl` admits. No redirect is followed: it answers as it is.
 * @param patience milliseconds, the whole answer included
 * @throws TypeError for an address that may not be called; as `fetch` does where it cannot be reached or takes longer
 */
export async function fetchOutbound(env: Bindings, address: string, init: RequestInit = {}, patience = PATIENCE) {
  const url = outboundUrl(env, address)
  if (!url) throw new TypeError("This address may not be called.")
  return fetch(url.href, { ...init, redirect: "manual", signal: AbortSignal.timeout(patience) })
}
