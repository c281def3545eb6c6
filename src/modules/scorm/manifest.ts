import { XMLParser } from "fast-xml-parser"
import { invalid } from "../../lib/errors.ts"

/** What an imsmanifest.xml says that a player needs. */
export interface Manifest {
  version: "1.2" | "2004"
  title: string
  /** The first item's file within the package, with its parameters. */
  launch: string
  /** What the item has the service tell its package: element (`cmi.launch_data`) to value. */
  cmi: Record<string, string>
}

const wrong = (message: string) => invalid("package", `package's imsmanifest.xml ${message}`)

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** The elements of a name within another: none, one or several. */
const children = (parent: unknown, name: string): Node[] => {
  const found = isNode(parent) ? parent[name] : undefined
  return (Array.isArray(found) ? found : [found]).filter(isNode)
}
/** An attribute, or an element's text; empty where there is none. */
const textOf = (parent: unknown, name: string): string => {
  const found = isNode(parent) ? parent[name] : undefined
  const [value] = Array.isArray(found) ? found : [found]
  if (isNode(value)) return textOf(value, "#text")
  return value === undefined || value === null ? "" : String(value).trim()
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Elements that carry attributes beside their text, and those that do not, read alike.
  alwaysCreateTextNode: true,
})

/** What XML says, in the encoding that its first bytes or its declaration tell; else UTF-8. */
export function xmlText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w-]+)/.exec(String.fromCharCode(...bytes.subarray(0, 200)))?.[1]
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : (declared ?? "utf-8")
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    throw wrong(`is in the encoding ${encoding}, which cannot be read; make it UTF-8.`)
  }
}

/** SCORM 1.2 and 2004 differ by the schema's version; where that is missing, by the namespaces. */
function versionOf(manifest: Node, text: string): Manifest["version"] {
  const [metadata] = children(manifest, "metadata")
  const declared = textOf(metadata, "schemaversion")
  if (/^1\.2$/.test(declared)) return "1.2"
  if (/2004|1\.3/.test(declared)) return "2004"
  if (/adlcp_v1p3/.test(text)) return "2004"
  if (/adlcp_rootv1p2/.test(text)) return "1.2"
  throw wrong(`is of version ${declared || "unknown"}; it must be SCORM 1.2 or 2004.`)
}

/** The first item, in the order of the outline, that has something to launch. */
function firstItem(parent: Node): Node | undefined {
  for (const item of children(parent, "item")) {
    if (textOf(item, "@identifierref")) return item
    const inner = firstItem(item)
    if (inner) return inner
  }
  return undefined
}

/** The most characters of an element that a manifest tells. */
const LONGEST = 4096

/** What an item says of passing, time and launch data, as its version's data model names it. */
function told(version: Manifest["version"], item: Node | undefined): Record<string, string> {
  const [sequencing] = children(item, "sequencing")
  const [objectives] = children(sequencing, "objectives")
  const [primary] = children(objectives, "primaryObjective")
  const [limits] = children(sequencing, "limitConditions")
  const [threshold] = children(item, "completionThreshold")
  const isMeasured = textOf(threshold, "@completedByMeasure") === "true"
  const elements =
    version === "1.2"
      ? {
          "cmi.launch_data": textOf(item, "datafromlms"),
          "cmi.student_data.mastery_score": textOf(item, "masteryscore"),
          "cmi.student_data.max_time_allowed": textOf(item, "maxtimeallowed"),
          "cmi.student_data.time_limit_action": textOf(item, "timelimitaction"),
        }
      : {
          "cmi.launch_data": textOf(item, "dataFromLMS"),
          "cmi.scaled_passing_score":
            textOf(primary, "@satisfiedByMeasure") === "true" ? textOf(primary, "minNormalizedMeasure") || "1.0" : "",
          "cmi.completion_threshold": isMeasured
            ? textOf(threshold, "@minProgressMeasure") || "1.0"
            : textOf(item, "completionThreshold"),
          "cmi.max_time_allowed": textOf(limits, "@attemptAbsoluteDurationLimit"),
          "cmi.time_limit_action": textOf(item, "timeLimitAction"),
        }
  return Object.fromEntries(Object.entries(elements).filter(([, text]) => text !== "" && text.length <= LONGEST))
}

/** @throws 422 when it cannot be read, or launches nothing of the package */
export function readManifest(text: string): Manifest {
  let read: unknown
  try {
    read = parser.parse(text)
  } catch {
    throw wrong("is not well-formed XML.")
  }
  const [manifest] = children(read, "manifest")
  if (!manifest) throw wrong("has no manifest element.")
  const version = versionOf(manifest, text)
  const [organizations] = children(manifest, "organizations")
  const [resources] = children(manifest, "resources")
  const all = children(organizations, "organization")
  const organization = all.find((one) => textOf(one, "@identifier") === textOf(organizations, "@default")) ?? all[0]
  const item = organization && firstItem(organization)
  const named = children(resources, "resource")
  const resource = item
    ? named.find((one) => textOf(one, "@identifier") === textOf(item, "@identifierref"))
    : named.find((one) => textOf(one, "@href"))
  const href = textOf(resource, "@href")
  if (!href) throw wrong("names nothing to launch.")
  const bases = [manifest, resources, resource].map((node) => textOf(node, "@base"))
  const parameters = textOf(item, "@parameters").replace(/^[?&]+/, "")
  const [path = "", own = ""] = href.split("?", 2)
  const file = plainPath(bases.join("") + path)
  const search = [own, parameters].filter(Boolean).join("&")
  const launch = search.startsWith("#") ? `${file}${search}` : file + (search && `?${search}`)
  return { version, title: textOf(organization, "title") || textOf(item, "title"), launch, cmi: told(version, item) }
}

/** @throws 422 for a URL, and for a path that leads out of the package */
function plainPath(href: string): string {
  let path = href
  try {
    path = decodeURIComponent(href)
  } catch {
    // A per cent sign that stands for itself.
  }
  const steps = path.replaceAll("\\", "/").split("/")
  if (/^([a-z][a-z0-9+.-]*:|\/)/i.test(path) || steps.includes(".."))
    throw wrong(`launches ${href}, which is not a file of the package.`)
  return steps.filter((step) => step !== "" && step !== ".").join("/")
}
