import { errorAnswer } from "../../http/error-responses.ts"
import { createApp } from "../../http/operation.ts"
import { REFERENCE, signInUrl, startPage } from "../../lib/web/academy.ts"
import { HomePage } from "../../pages/home.page.tsx"
import { isSignedOut, redirectToSignIn, renderPage } from "../../pages/page.tsx"
import { homePage } from "./home.queries.ts"

export const home = createApp()

/** Redirects signed-in users to their start page and others to the sign-in page or the API reference. */
home.get("/", async (c) => {
  if (await isSignedOut(c))
    return c.redirect(c.env.ACCESS_POLICY === "documented" ? REFERENCE : signInUrl(c.env, ""), 302)
  return c.redirect(startPage(c.env, c.var.caller.userType), 302)
})

home.get("/learn", async (c) => {
  const { caller, db } = c.var
  if (caller.kind !== "user") return redirectToSignIn(c)
  const [signedOut, { academy, ...page }] = await Promise.all([isSignedOut(c), homePage(db, caller.id)])
  return signedOut
    ? redirectToSignIn(c)
    : renderPage(c, <HomePage {...page} />, 200, { academy, language: page.person.language })
})

home.openAPIRegistry.registerPath({
  operationId: "showOwnLearning",
  method: "get",
  path: "/learn",
  summary: "Show the caller's courses, certificates, upcoming classes and announcements",
  description: "An HTML page. Learners who sign in with the form start here unless APP_URL is set.",
  tags: ["Learning data"],
  security: [{ bearer: [] }, { session: [] }],
  responses: {
    200: { description: "The page" },
    302: { description: "Redirects to the sign-in page, which returns here" },
    429: errorAnswer(429),
  },
})
