// An identity provider for tests: oidc-provider with its own forms, in memory. What the people of it may do is changed at run
// time, by a line of JSON on its standard input: {"groups": ["staff"]}, {"away": true}. It says on its standard output what it did.
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

console.info = console.error; // It has notices.
const [modules, site] = process.argv.slice(2);
const entry = createRequire(modules + "/").resolve("oidc-provider");
const { Provider } = await import(pathToFileURL(entry));

let handle = (_, response) => response.writeHead(503).end();
const open = (port) => new Promise((ready) => {
  const server = createServer((request, response) => handle(request, response)).listen(port, "127.0.0.1", () => ready(server));
});
let server = await open(0);
const { port } = server.address();
const issuer = `http://127.0.0.1:${port}`;
const people = { groups: ["staff"] };

const provider = new Provider(issuer, {
  clients: [{
    client_id: "tasker", client_secret: "a secret of the test alone", redirect_uris: [`${site}/ui/sign-in/callback`],
    post_logout_redirect_uris: [`${site}/ui/login`], grant_types: ["authorization_code", "refresh_token"],
  }],
  claims: { email: ["email", "email_verified"], profile: ["name", "groups"] },
  scopes: ["openid", "offline_access"],
  cookies: { keys: ["for a test"] },
  pkce: { required: () => true },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@corp.example`, email_verified: true, name: id, groups: people.groups }),
  }),
});
handle = provider.callback();

createInterface({ input: process.stdin }).on("line", async (line) => {
  const change = JSON.parse(line);
  if (change.groups) people.groups = change.groups;
  if (change.away === true) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  if (change.away === false) server = await open(port);
  console.log("done");
}).on("close", () => process.exit(0));
console.log(issuer);
