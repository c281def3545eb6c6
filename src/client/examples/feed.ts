import { createClient } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })

// Store the cursor between runs, for example in a file or database.
let cursor: string | undefined

const feed = client.events({ after: cursor, types: ["user.created", "enrollment.completed"] })
for await (const page of feed.pages()) {
  for (const event of page.events) {
    // The user or the enrollment was deleted since.
    if ("deleted" in event.data) continue
    if (event.type === "user.created") console.log(`${event.data.email} has an account`)
    if (event.type === "enrollment.completed" && "name" in event.data.user && "name" in event.data.course)
      console.log(`${event.data.user.name} completed ${event.data.course.name}`)
  }
  cursor = page.cursor
}
