import type { ScormVersion } from "../../../drizzle/schema/modules.ts"
import { invalid, tooLarge } from "../../lib/errors.ts"
import { decodedText } from "../../lib/text/encoding.ts"
import { childrenOf, readXmlTree, type XmlElement, XmlRefused } from "../../lib/text/xml.ts"

/** What an imsmanifest.xml says that a player needs. */
export interface Manifest {
  version: ScormVersion
  title: string
  /** The first item's file within the package, with its parameters. */
  launch: string
  /** What the item has the service tell its package: element (`cmi.launch_data`) to value. */
  cmi: Record<string, string>
}

const wrong = (message: string) => invalid("package", `package's imsmanifest.xml ${message}`)

/** An element's text, without the space around it; empty where there is none. */
const textOf = (parent: XmlElement | undefined, name: string): string => childrenOf(parent, name)[0]?.text.trim() ?? ""
/** An attribute, likewise. */
const attributeOf = (element: XmlElement | undefined, name: string): string =>
  element?.attributes.get(name)?.trim() ?? ""

/** What XML says, in the encoding that its first bytes or its declaration tell; else UTF-8. */
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
  if (text === undefined) throw wrong(`cannot be decoded as ${encoding}; save it as UTF-8.`)
  return text
}

/** SCORM 1.2 and 2004 differ by the schema's version; where that is missing, by the namespaces. */
function versionOf(manifest: XmlElement, text: string): Manifest["version"] {
  const [metadata] = childrenOf(manifest, "metadata")
  const declared = textOf(metadata, "schemaversion")
  if (/^1\.2$/.test(declared)) return "1.2"
  if (/2004|1\.3/.test(declared)) return "2004"
  if (/adlcp_v1p3/.test(text)) return "2004"
  if (/adlcp_rootv1p2/.test(text)) return "1.2"
  throw wrong(`is of version ${declared || "unknown"}; it must be SCORM 1.2 or 2004.`)
}

/** The first item, in the order of the outline, that has something to launch. */
function firstItem(parent: XmlElement): XmlElement | undefined {
  for (const item of childrenOf(parent, "item")) {
    if (attributeOf(item, "identifierref")) return item
    const inner = firstItem(item)
    if (inner) return inner
  }
  return undefined
}

/** The most characters of an element that a manifest tells. */
const LONGEST = 4096

/** What an item says of passing, time and launch data, as its version's data model names it. */
function told(version: Manifest["version"], item: XmlElement | undefined): Record<string, string> {
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
  return Object.fromEntries(Object.entries(elements).filter(([, text]) => text !== "" && text.length <= LONGEST))
}

/** @throws 413 for one of unreasonable size; 422 when it cannot be read, or launches nothing of the package */
export async function readManifest(text: string): Promise<Manifest> {
  const manifest = await readXmlTree([text.trim()]).catch((error) => {
    throw error instanceof XmlRefused && error.reason === "too large"
      ? tooLarge("The package's imsmanifest.xml holds more than is read.")
      : wrong("is not well-formed XML.")
  })
  if (manifest.name !== "manifest") throw wrong("has no manifest element.")
  const version = versionOf(manifest, text)
  const [organizations] = childrenOf(manifest, "organizations")
  const [resources] = childrenOf(manifest, "resources")
  const all = childrenOf(organizations, "organization")
  const organization =
    all.find((one) => attributeOf(one, "identifier") === attributeOf(organizations, "default")) ?? all[0]
  const item = organization && firstItem(organization)
  const named = childrenOf(resources, "resource")
  const resource = item
    ? named.find((one) => attributeOf(one, "identifier") === attributeOf(item, "identifierref"))
    : named.find((one) => attributeOf(one, "href"))
  const href = attributeOf(resource, "href")
  if (!href) throw wrong("names nothing to launch.")
  if (href.length > LONGEST) throw wrong(`launches ${href.slice(0, 60)}…, which is no file's name.`)
  const bases = [manifest, resources, resource].map((node) => attributeOf(node, "base"))
  const parameters = attributeOf(item, "parameters").replace(/^[?&]+/, "")
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
