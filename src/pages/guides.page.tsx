import { raw } from "hono/html"
import { REFERENCE } from "../lib/web/academy.ts"
import { GUIDES } from "./guides.ts"
import { Layout } from "./page.tsx"

/** Links to all guides. @param current the name of the current guide */
const Guides = ({ current }: { current?: string }) => (
  <nav class="guides" aria-label="Guides">
    {GUIDES.map(({ name, title }) => (
      <a href={`/docs/guides/${name}`} aria-current={name === current ? "page" : undefined}>
        {title}
      </a>
    ))}
    <a href={REFERENCE}>API reference</a>
  </nav>
)

/** The list of guides. */
export const GuidesPage = () => (
  <Layout title="Guides">
    <Guides />
    <main class="wide">
      <h1>Guides</h1>
      <ul>
        {GUIDES.map(({ name, title, about }) => (
          <li>
            <a href={`/docs/guides/${name}`}>{title}</a>: {about}
          </li>
        ))}
      </ul>
    </main>
  </Layout>
)

/** @param html the guide, rendered from Markdown at build time */
export const GuidePage = ({ name, title, html }: { name: string; title: string; html: string }) => (
  <Layout title={title}>
    <Guides current={name} />
    <main class="wide guide">{raw(html)}</main>
  </Layout>
)
