import type { Bindings } from "../../bindings.ts"
import { SECOND } from "../clock.ts"

// What this service asks of others at addresses that its administrators name: providers, receivers of events.

/** Names that lead to this machine or its network. */
const PRIVATE_NAMES = /^(localhost|.+\.(localhost|local|internal|home\.arpa))\.?$/i

/** The ranges that are nobody's public address: first and last, as numbers. */
const PRIVATE_RANGES = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "255.255.255.255"],
].map(([first = "", last = ""]) => [numberOf(first), numberOf(last)] as const)

function numberOf(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0)
}

const isPrivateV4 = (address: string) => {
  const number = numberOf(address)
  return PRIVATE_RANGES.some(([first, last]) => number >= first && number <= last)
}

/** Of IPv6 only global unicast (2000::/3) is called, without what embeds an address of IPv4 or documents. */
const isPrivateV6 = (address: string) =>
  !/^[23][0-9a-f]{3}:/.test(address) || /^(2002|2001:db8|2001:0?:|2001::)/.test(address)

/** An address of IPv6 as URLs write it, in one way; empty, and so private, where it is none. */
const writtenAlike = (address: string) => URL.parse(`https://[${address}]/`)?.hostname.slice(1, -1) ?? ""

/**
 * Is a host, as a URL has it, one of this machine, of its network, or nobody's? A URL writes each spelling of an
 * address in one way.
 */
function isPrivateHost(host: string): boolean {
  if (host.startsWith("[")) return isPrivateV6(host.slice(1, -1))
  return /^\d+(\.\d+){3}$/.test(host) ? isPrivateV4(host) : PRIVATE_NAMES.test(host) || !host.includes(".")
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
export async function leadsOutside(env: Bindings, address: string): Promise<boolean> {
  const url = outboundUrl(env, address)
  if (!url) return false
  const { hostname } = url
  if (callsPrivate(env) || hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname)) return true
  const lookUp = async (type: keyof typeof ADDRESS_TYPES) => {
    const question = `${env.DNS_RESOLVER}?name=${encodeURIComponent(hostname)}&type=${type}`
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetch(question, { headers: { accept: "application/dns-json" }, redirect: "manual", signal })
    if (!response.ok) throw new Error(`The resolver answers ${response.status}.`)
    const { Answer = [] } = (await response.json()) as Resolved
    return Answer.filter((found) => found.type === ADDRESS_TYPES[type]).map(({ data }) => data.toLowerCase())
  }
  const [four, six] = await Promise.all([lookUp("A"), lookUp("AAAA")])
  return four.length + six.length > 0 && !four.some(isPrivateV4) && !six.map(writtenAlike).some(isPrivateV6)
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
