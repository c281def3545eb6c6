import type { Context } from "hono"
import type { AppEnv } from "../lib/web/app-env.ts"
import { Layout, renderPage, useFrame } from "./page.tsx"

const NotFoundPage = () => {
  const { start, words } = useFrame()
  const { t } = words
  return (
    <Layout title={t("not-found.title")}>
      <main>
        <h1>{t("not-found.title")}</h1>
        <p class="quiet">{t("not-found.text")}</p>
        <p>
          <a href={start}>{t("not-found.start")}</a>
        </p>
      </main>
    </Layout>
  )
}

/** The page for an unknown path. */
export const renderNotFound = (c: Context<AppEnv>) => renderPage(c, <NotFoundPage />, 404)
