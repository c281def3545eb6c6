import { TAGS } from "../http/tags.ts"
import { GUIDES } from "./guides.ts"

/** An index for language models (llmstxt.org). @param base the URL of this service */
export const llmsText = (base: string): string => `# Lectern

> A learning management service with one JSON HTTP API: users, courses, progress, classes, certificates, reports.

Sign in with \`POST /login\`, or send an API key: \`Authorization: Bearer lk_…\`.
Agents can use the tools at ${base}/mcp instead of the HTTP API.

## Guides

${GUIDES.map(({ name, title, about }) => `- [${title}](${base}/docs/guides/${name}.md): ${about}`).join("\n")}

## API

- [OpenAPI document](${base}/openapi.json): every operation; large
${Object.entries(TAGS)
  .map(([tag, about]) => `- [${tag}](${base}/openapi.json?tag=${encodeURIComponent(tag)}): ${about}`)
  .join("\n")}
`
