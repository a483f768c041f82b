// Serves dist/ on a local port:
//   node scripts/serve.mjs [PORT]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const dist = resolve(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };

/** Starts a server; 0 chooses a free port. */
export async function serve(port) {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
        const file = join(dist, path.endsWith("/") ? `${path}index.html` : path);
        const content = file.startsWith(dist) ? await readFile(file).catch(() => undefined) : undefined;
        response.writeHead(content ? 200 : 404, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
        response.end(content ?? "not found");
    });
    await new Promise((done) => server.listen(port, "127.0.0.1", done));
    return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const { url } = await serve(Number(process.argv[2] ?? 8000));
    console.log(url);
}
