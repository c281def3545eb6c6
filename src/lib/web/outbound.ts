import ipaddr from "ipaddr.js"
import type { Bindings } from "../../env.ts"
import { SECOND } from "../clock.ts"

// Requests to addresses that administrators configure: identity providers and webhook receivers.

/** Host names of this machine or its network. */
const PRIVATE_NAMES = /^(localhost|.+\.(localhost|local|internal|home\.arpa))\.?$/i

/** For IPv6 only global unicast is allowed; the library also counts unassigned addresses as unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3")

/**
 * Whether an IP address is on the public internet: not loopback, private, link-local, shared, multicast,
 * documentation or reserved by IANA, and without an embedded or tunneled address.
 * @param address IPv4, or IPv6 without brackets; anything else is not public
 */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast") return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** The IP address of a URL's host; undefined for a host name. */
function addressIn(host: string): string | undefined {
  if (host.startsWith("[")) return host.slice(1, -1)
  return ipaddr.IPv4.isValid(host) ? host : undefined
}

/** Whether a URL's host is this machine, in its network, or unresolvable. */
function isPrivateHost(host: string): boolean {
  const address = addressIn(host)
  return address === undefined ? PRIVATE_NAMES.test(host) || !host.includes(".") : !isPublicAddress(address)
}

/** Whether plain HTTP and private addresses are allowed: only in development. */
const allowsPrivate = (env: Bindings) => env.ENVIRONMENT === "development" && env.OUTBOUND_PRIVATE === "allow"

/** The URL if it may be called: HTTPS, no credentials, no private host; else undefined. */
export function outboundUrl(env: Bindings, address: string): URL | undefined {
  const url = URL.parse(address)
  if (!url || url.username || url.password) return undefined
  if (allowsPrivate(env) && /^https?:$/.test(url.protocol)) return url
  return url.protocol === "https:" && !isPrivateHost(url.hostname) ? url : undefined
}

/** A DNS over HTTPS response in JSON. */
interface DnsResponse {
  Answer?: { type: number; data: string }[]
}

const ADDRESS_TYPES = { A: 1, AAAA: 28 } as const

/**
 * Resolves a host and checks that all its addresses are public, unless private ones are allowed. On Cloudflare
 * requests cannot reach private networks anyway; the check informs the administrator and protects other hosting.
 * @returns false if an address is private or there is none
 * @throws like `fetch` if the resolver is unreachable
 */
export async function resolvesToPublicAddress(env: Bindings, address: string): Promise<boolean> {
  const url = outboundUrl(env, address)
  if (!url) return false
  const { hostname } = url
  if (allowsPrivate(env) || addressIn(hostname) !== undefined) return true
  const lookUp = async (type: keyof typeof ADDRESS_TYPES) => {
    const question = `${env.DNS_RESOLVER}?name=${encodeURIComponent(hostname)}&type=${type}`
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(question, { headers: { accept: "application/dns-json" }, redirect: "manual", signal })
    if (!response.ok) throw new Error(`The DNS resolver returned ${response.status}.`)
    const { Answer = [] } = (await response.json()) as DnsResponse
    return Answer.filter((found) => found.type === ADDRESS_TYPES[type]).map(({ data }) => data)
  }
  const found = (await Promise.all([lookUp("A"), lookUp("AAAA")])).flat()
  return found.length > 0 && found.every(isPublicAddress)
}

/** The timeout of a request, including the response body. */
const TIMEOUT_MS = 5 * SECOND

/**
 * Calls a URL that `outboundUrl` allows, without following redirects.
 * @param timeoutMs including the response body
 * @throws TypeError for a URL that is not allowed; like `fetch` if it is unreachable or too slow
 */
export async function fetchOutbound(env: Bindings, address: string, init: RequestInit = {}, timeoutMs = TIMEOUT_MS) {
  const url = outboundUrl(env, address)
  if (!url) throw new TypeError("This URL is not allowed.")
  return fetch(url.href, { ...init, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) })
}
