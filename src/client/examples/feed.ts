import { createClient } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })

// Kept between runs, in a file or a row of yours: what has been dealt with.
let cursor: string | undefined

const feed = client.events({ after: cursor, types: ["user.created", "enrollment.completed"] })
for await (const page of feed.pages()) {
  for (const event of page.events) {
    if (event.type === "user.created") console.log(`${event.data.user.email} has an account`)
    if (event.type === "enrollment.completed")
      console.log(`${event.data.user.name} completed ${event.data.course.name}`)
  }
  cursor = page.cursor
}
