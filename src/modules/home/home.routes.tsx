import { errorAnswer } from "../../http/error-responses.ts"
import { createApp } from "../../http/operation.ts"
import { REFERENCE, signInUrl, startPage } from "../../lib/web/academy.ts"
import { HomePage } from "../../pages/home.page.tsx"
import { isSignedOut, redirectToSignIn, renderPage } from "../../pages/page.tsx"
import { homePage } from "./home.queries.ts"

export const home = createApp()

/** The academy's own address: signed-in people go on to where they begin, others to what they may see. */
home.get("/", async (c) => {
  if (await isSignedOut(c))
    return c.redirect(c.env.ACCESS_POLICY === "documented" ? REFERENCE : signInUrl(c.env, ""), 302)
  return c.redirect(startPage(c.env, c.var.caller.userType), 302)
})

home.get("/learn", async (c) => {
  const { caller, db } = c.var
  if (caller.kind !== "user" || (await isSignedOut(c))) return redirectToSignIn(c)
  return renderPage(c, <HomePage {...(await homePage(db, caller.id))} />)
})

home.openAPIRegistry.registerPath({
  operationId: "showOwnLearning",
  method: "get",
  path: "/learn",
  summary: "Show the caller's courses, certificates, classes to come and announcements",
  description: "A page: where a learner begins who signs in by the form, unless APP_URL says otherwise.",
  tags: ["Learning data"],
  security: [{ bearer: [] }, { session: [] }],
  responses: {
    200: { description: "The page" },
    302: { description: "To the sign-in page, and back from there" },
    429: errorAnswer(429),
  },
})
