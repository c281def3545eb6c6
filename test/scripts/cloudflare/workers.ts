// Workers: what is uploaded as a version, which versions serve, their secrets, assets, cron and addresses.
import { createHash, randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import { type Call, Failure, type Route } from "./http.ts"

/** Of a paid plan, compressed. */
const MAX_SCRIPT_BYTES = 10_000_000
const MAX_VARIABLES = 128
const MAX_VARIABLE_BYTES = 5000

export interface Binding {
  type: string
  name: string
  text?: string
  [about: string]: unknown
}

/** What a binding of a type names is there. */
type Lookup = Partial<Record<string, (binding: Binding) => boolean>>

interface Metadata {
  main_module: string
  compatibility_date: string
  compatibility_flags: string[]
  bindings: Binding[]
  limits?: { cpu_ms?: number }
  /** Of a whole upload; a version's are set by script-settings. */
  observability?: object
  migrations?: { new_tag: string; old_tag?: string }
  annotations?: Record<string, string>
  assets?: { jwt: string; config?: { run_worker_first?: boolean | string[] } }
}

type Manifest = Record<string, { hash: string }>

export interface Version {
  id: string
  number: number
  metadata: Metadata
  modules: { name: string; type: string; content: Buffer }[]
  /** The secrets of its time. */
  secrets: Map<string, string>
}

type Secrets = Record<string, { text: string } | null>

interface Share {
  version_id: string
  percentage: number
}

export interface Script {
  versions: Version[]
  /** The last one first. */
  deployments: { id: string; versions: Share[] }[]
  secrets: Map<string, string>
  migrationTag: string | undefined
  schedules: { cron: string }[]
  subdomain: { enabled: boolean; previews_enabled: boolean }
  limits: { cpu_ms?: number }
  settings: Record<string, unknown>
}

/** A Worker without an upload. */
export const newScript = (): Script => ({
  ...{ versions: [], deployments: [], secrets: new Map(), migrationTag: undefined, schedules: [], settings: {} },
  ...{ subdomain: { enabled: false, previews_enabled: false }, limits: {} },
})

export class Workers {
  readonly scripts = new Map<string, Script>()
  /** The static files by their hashes. */
  readonly assets = new Map<string, Buffer>()
  /** What each file's path is, by the token of its upload. */
  readonly manifests = new Map<string, Manifest>()
  private readonly isThere: Lookup

  constructor(isThere: Lookup = {}) {
    this.isThere = isThere
  }

  routes(): Route[] {
    const one = "/workers/scripts/:name"
    return [
      ["GET", "/workers/subdomain", () => ({ subdomain: "academy" })],
      ["GET", "/workers/services/:name", (call) => this.service(call)],
      ["GET", "/workers/workers/:name", (call) => ({ subdomain: this.of(call).subdomain })],
      ["GET", "/workers/durable_objects/namespaces", () => []],
      ["GET", `${one}/settings`, (call) => this.settingsOf(call)],
      ["GET", `${one}/script-settings`, (call) => this.of(call).settings],
      ["PATCH", `${one}/script-settings`, (call) => Object.assign(this.of(call).settings, call.json())],
      ["GET", `${one}/secrets`, (call) => this.secretsOf(call)],
      [
        "PATCH",
        `${one}/secrets-bulk`,
        (call) => this.changeSecrets(call, (call.json() as { secrets: Secrets }).secrets),
      ],
      ["PUT", `${one}/secrets`, (call) => this.putSecret(call)],
      ["DELETE", `${one}/secrets/:secret`, (call) => this.changeSecrets(call, { [call.params[1] ?? ""]: null })],
      ["GET", `${one}/deployments`, (call) => ({ deployments: this.of(call).deployments })],
      ["POST", `${one}/deployments`, (call) => this.deploy(this.of(call), call.json() as { versions: Share[] })],
      ["GET", `${one}/versions`, (call) => ({ items: this.of(call).versions.map(described) })],
      ["GET", `${one}/versions/:version`, (call) => described(this.version(call))],
      ["POST", `${one}/versions`, async (call) => described(await this.upload(call, this.of(call)))],
      ["PUT", one, (call) => this.put(call)],
      ["GET", `${one}/subdomain`, (call) => this.of(call).subdomain],
      ["POST", `${one}/subdomain`, (call) => Object.assign(this.of(call).subdomain, call.json())],
      ["GET", `${one}/schedules`, (call) => ({ schedules: this.of(call).schedules })],
      ["PUT", `${one}/schedules`, (call) => this.schedule(call)],
      ["POST", `${one}/assets-upload-session`, (call) => this.assetSession(call)],
      ["POST", "/workers/assets/upload", (call) => this.uploadAssets(call)],
    ]
  }

  private of({ params: [name = ""] }: Call): Script {
    const found = this.scripts.get(name)
    if (!found) throw new Failure(404, 10007, "This Worker does not exist on your account.")
    return found
  }

  private service(call: Call) {
    const { migrationTag } = this.of(call)
    const script = { tags: [], last_deployed_from: "wrangler", ...(migrationTag && { migration_tag: migrationTag }) }
    return { id: call.params[0], default_environment: { environment: "production", script } }
  }

  private settingsOf(call: Call) {
    const { versions, limits, migrationTag } = this.of(call)
    return { ...versions.at(-1)?.metadata, limits, ...(migrationTag && { migration_tag: migrationTag }) }
  }

  private version(call: Call): Version {
    const found = this.of(call).versions.find(({ id }) => id === call.params[1])
    if (!found) throw new Failure(404, 10143, "The requested version could not be found.")
    return found
  }

  private secretsOf(call: Call) {
    return [...this.of(call).secrets.keys()].map((name) => ({ name, type: "secret_text" }))
  }

  private putSecret(call: Call) {
    const { name, text } = call.json() as { name: string; text: string }
    this.changeSecrets(call, { [name]: { text } })
    return { name, type: "secret_text" }
  }

  /** A secret makes a version of its own, as the last one with the new secret; that one must serve every request. */
  private changeSecrets(call: Call, secrets: Secrets) {
    const script = this.of(call)
    const last = script.versions.at(-1)
    const [share] = script.deployments[0]?.versions ?? []
    if (last && (share?.version_id !== last.id || share.percentage !== 100))
      throw new Failure(400, 10215, "The latest version of your Worker isn't currently deployed.")
    for (const [name, secret] of Object.entries(secrets))
      if (secret) script.secrets.set(name, secret.text)
      else script.secrets.delete(name)
    if (last) {
      const version = { ...last, id: randomUUID(), number: last.number + 1, secrets: new Map(script.secrets) }
      script.versions.push(version)
      this.deploy(script, { versions: [{ version_id: version.id, percentage: 100 }] })
    }
    return this.secretsOf(call)
  }

  private deploy(script: Script, { versions }: { versions: Share[] }) {
    if (versions.reduce((sum, { percentage }) => sum + percentage, 0) !== 100)
      throw new Failure(400, 10144, "The percentages must add up to 100.")
    for (const { version_id } of versions)
      if (!script.versions.some(({ id }) => id === version_id))
        throw new Failure(404, 10143, "The requested version could not be found.")
    const deployment = { id: randomUUID(), versions }
    script.deployments.unshift(deployment)
    return { ...deployment, created_on: "2026-11-24T00:00:00Z", source: "wrangler", strategy: "percentage" }
  }

  /** Takes an upload of modules, and keeps the secrets that it brings for later versions. */
  private async upload(call: Call, script: Script): Promise<Version> {
    const form = await call.form()
    const metadata = JSON.parse(String(form.get("metadata"))) as Metadata
    const files = [...form.entries()].filter(([name]) => name !== "metadata") as [string, File][]
    const modules = await Promise.all(
      files.map(async ([name, file]) => ({ name, type: file.type, content: Buffer.from(await file.arrayBuffer()) })),
    )
    const code = modules.filter(({ type }) => type !== "application/source-map").map(({ content }) => content)
    if (gzipSync(Buffer.concat(code)).length > MAX_SCRIPT_BYTES)
      throw new Failure(400, 10027, "Your Worker exceeded the size limit.")
    metadata.bindings = inherited(metadata.bindings, script.versions.at(-1)?.metadata.bindings ?? [])
    this.check(metadata)
    for (const { type, name, text = "" } of metadata.bindings)
      if (type === "secret_text") script.secrets.set(name, text)
    const version = {
      ...{ id: randomUUID(), number: script.versions.length + 1, metadata, modules },
      secrets: new Map(script.secrets),
    }
    script.versions.push(version)
    script.limits = metadata.limits ?? {}
    return version
  }

  /** Refuses bindings of what the account does not have, and variables beyond their limits. */
  private check({ bindings }: Metadata) {
    for (const binding of bindings)
      if (this.isThere[binding.type]?.(binding) === false)
        throw new Failure(400, 10021, `The binding ${binding.name} refers to a ${binding.type} that does not exist.`)
    const variables = bindings.filter(({ text }) => text !== undefined)
    const large = variables.find(({ text = "" }) => Buffer.byteLength(text) > MAX_VARIABLE_BYTES)
    if (large || variables.length > MAX_VARIABLES)
      throw new Failure(400, 10054, large ? `The variable ${large.name} is too large.` : "Too many variables.")
  }

  private async put(call: Call) {
    const [name = ""] = call.params
    const script = this.scripts.get(name) ?? newScript()
    const version = await this.upload(call, script)
    this.scripts.set(name, script)
    const { observability } = version.metadata
    if (observability) script.settings.observability = observability
    script.migrationTag = version.metadata.migrations?.new_tag ?? script.migrationTag
    this.deploy(script, { versions: [{ version_id: version.id, percentage: 100 }] })
    return { id: name, etag: version.id, deployment_id: version.id, startup_time_ms: 10, has_assets: true }
  }

  private schedule(call: Call) {
    const script = this.of(call)
    script.schedules = call.json() as { cron: string }[]
    return { schedules: script.schedules }
  }

  /** Asks for the files that are not there yet, some in each bucket. */
  private assetSession(call: Call) {
    const { manifest } = call.json() as { manifest: Manifest }
    const missing = [...new Set(Object.values(manifest).map(({ hash }) => hash))].filter(
      (hash) => !this.assets.has(hash),
    )
    const buckets: string[][] = []
    while (missing.length > 0) buckets.push(missing.splice(0, 50))
    const digest = createHash("sha256").update(JSON.stringify(manifest)).digest("hex")
    this.manifests.set(`assets-${digest}`, manifest)
    return { jwt: `assets-${digest}`, buckets }
  }

  private async uploadAssets(call: Call) {
    for (const [hash, file] of (await call.form()) as unknown as Iterable<[string, File]>)
      this.assets.set(hash, Buffer.from(await file.text(), "base64"))
    return { jwt: String(call.headers.authorization).slice("Bearer ".length) }
  }
}

/** Bindings with those of the version before in place of the ones that wrangler leaves as they are. */
function inherited(bindings: Binding[], before: Binding[]): Binding[] {
  return bindings.map((binding) => {
    if (binding.type !== "inherit") return binding
    const found = before.find(({ name }) => name === binding.name)
    if (!found) throw new Failure(400, 10021, `There is no binding ${binding.name} to inherit.`)
    return found
  })
}

const described = ({ id, number, metadata, secrets }: Version) => ({
  id,
  number,
  metadata: { created_on: "2026-11-24T00:00:00Z", source: "wrangler", author_email: "you@example.org" },
  annotations: metadata.annotations ?? {},
  resources: {
    bindings: [...metadata.bindings, ...[...secrets.keys()].map((name) => ({ type: "secret_text", name }))],
    script: { etag: id, handlers: ["fetch", "queue", "scheduled"] },
    script_runtime: { compatibility_date: metadata.compatibility_date },
  },
  startup_time_ms: 10,
})
