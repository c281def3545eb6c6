import type { ScormVersion } from "../../../drizzle/schema/modules.ts"
import { invalid, tooLarge } from "../../lib/errors.ts"
import { decodedText } from "../../lib/text/encoding.ts"
import { childrenOf, readXmlTree, type XmlElement, XmlRefused } from "../../lib/text/xml.ts"

/** The parts of an imsmanifest.xml that a player needs. */
export interface Manifest {
  version: ScormVersion
  title: string
  /** The first item's file within the package, with its parameters. */
  launch: string
  /** The initial data that the item defines: maps elements, such as `cmi.launch_data`, to values. */
  cmi: Record<string, string>
}

const manifestError = (message: string) => invalid("package", `package's imsmanifest.xml ${message}`)

/** The trimmed text of a child element; empty if missing. */
const textOf = (parent: XmlElement | undefined, name: string): string => childrenOf(parent, name)[0]?.text.trim() ?? ""
/** A trimmed attribute; empty if missing. */
const attributeOf = (element: XmlElement | undefined, name: string): string =>
  element?.attributes.get(name)?.trim() ?? ""

/** Decodes XML by its byte order mark or declared encoding; defaults to UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w-]+)/.exec(String.fromCharCode(...bytes.subarray(0, 200)))?.[1]
  const encoding =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : (declared ?? "utf-8")
  const text = decodedText(bytes, encoding)
  if (text === undefined) throw manifestError(`cannot be decoded as ${encoding}; save it as UTF-8.`)
  return text
}

/** Determined by the schema version or, if missing, by the namespaces. */
function versionOf(manifest: XmlElement, text: string): Manifest["version"] {
  const [metadata] = childrenOf(manifest, "metadata")
  const declared = textOf(metadata, "schemaversion")
  if (/^1\.2$/.test(declared)) return "1.2"
  if (/2004|1\.3/.test(declared)) return "2004"
  if (/adlcp_v1p3/.test(text)) return "2004"
  if (/adlcp_rootv1p2/.test(text)) return "1.2"
  throw manifestError(`is of version ${declared || "unknown"}; it must be SCORM 1.2 or 2004.`)
}

/** The first launchable item, in depth-first order. */
function firstItem(parent: XmlElement): XmlElement | undefined {
  for (const item of childrenOf(parent, "item")) {
    if (attributeOf(item, "identifierref")) return item
    const inner = firstItem(item)
    if (inner) return inner
  }
  return undefined
}

/** Characters of an element's value. */
const MAX_LENGTH = 4096

/** The item's passing score, time limits and launch data, with the element names of the version. */
function cmiOf(version: Manifest["version"], item: XmlElement | undefined): Record<string, string> {
  const [sequencing] = childrenOf(item, "sequencing")
  const [objectives] = childrenOf(sequencing, "objectives")
  const [primary] = childrenOf(objectives, "primaryObjective")
  const [limits] = childrenOf(sequencing, "limitConditions")
  const [threshold] = childrenOf(item, "completionThreshold")
  const isMeasured = attributeOf(threshold, "completedByMeasure") === "true"
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
            attributeOf(primary, "satisfiedByMeasure") === "true"
              ? textOf(primary, "minNormalizedMeasure") || "1.0"
              : "",
          "cmi.completion_threshold": isMeasured
            ? attributeOf(threshold, "minProgressMeasure") || "1.0"
            : textOf(item, "completionThreshold"),
          "cmi.max_time_allowed": attributeOf(limits, "attemptAbsoluteDurationLimit"),
          "cmi.time_limit_action": textOf(item, "timeLimitAction"),
        }
  return Object.fromEntries(Object.entries(elements).filter(([, text]) => text !== "" && text.length <= MAX_LENGTH))
}

/** @throws 413 if it is too large; 422 if it can't be read or launches no file of the package */
export async function readManifest(text: string): Promise<Manifest> {
  const manifest = await readXmlTree([text.trim()]).catch((error) => {
    throw error instanceof XmlRefused && error.reason === "too large"
      ? tooLarge("The package's imsmanifest.xml is too large.")
      : manifestError("is not well-formed XML.")
  })
  if (manifest.name !== "manifest") throw manifestError("has no manifest element.")
  const version = versionOf(manifest, text)
  const [organizations] = childrenOf(manifest, "organizations")
  const [resources] = childrenOf(manifest, "resources")
  const organizationList = childrenOf(organizations, "organization")
  const organization =
    organizationList.find((one) => attributeOf(one, "identifier") === attributeOf(organizations, "default")) ??
    organizationList[0]
  const item = organization && firstItem(organization)
  const resourceList = childrenOf(resources, "resource")
  const resource = item
    ? resourceList.find((one) => attributeOf(one, "identifier") === attributeOf(item, "identifierref"))
    : resourceList.find((one) => attributeOf(one, "href"))
  const href = attributeOf(resource, "href")
  if (!href) throw manifestError("has no launchable item.")
  if (href.length > MAX_LENGTH) throw manifestError(`launches ${href.slice(0, 60)}…, which is not a valid file name.`)
  const bases = [manifest, resources, resource].map((node) => attributeOf(node, "base"))
  const parameters = attributeOf(item, "parameters").replace(/^[?&]+/, "")
  const [path = "", query = ""] = href.split("?", 2)
  const file = normalizePath(bases.join("") + path)
  const search = [query, parameters].filter(Boolean).join("&")
  const launch = search.startsWith("#") ? `${file}${search}` : file + (search && `?${search}`)
  return { version, title: textOf(organization, "title") || textOf(item, "title"), launch, cmi: cmiOf(version, item) }
}

/** @throws 422 for a URL, or a path outside the package */
function normalizePath(href: string): string {
  let path = href
  try {
    path = decodeURIComponent(href)
  } catch {
    // A literal percent sign.
  }
  const segments = path.replaceAll("\\", "/").split("/")
  if (/^([a-z][a-z0-9+.-]*:|\/)/i.test(path) || segments.includes(".."))
    throw manifestError(`launches ${href}, which is not a file of the package.`)
  return segments.filter((step) => step !== "" && step !== ".").join("/")
}
