import type { Context } from "hono"
import type { AppEnv } from "../lib/web/app-env.ts"
import { Layout, renderPage, useFrame } from "./page.tsx"

const NotFoundPage = () => (
  <Layout title="Page not found">
    <main>
      <h1>Page not found</h1>
      <p class="error">This page doesn't exist. Check the address.</p>
      <p>
        <a href={useFrame().start}>Go to the start page</a>
      </p>
    </main>
  </Layout>
)

/** The page for an unknown path. */
export const renderNotFound = (c: Context<AppEnv>) => renderPage(c, <NotFoundPage />, 404)
