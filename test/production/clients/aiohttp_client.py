import asyncio

import aiohttp


async def main():
    headers = {"authorization": "Bearer sandpiper-demo-key"}
    async with aiohttp.ClientSession() as session:
        async with session.get("https://api.attentivemobile.com/v1/me", headers=headers) as answer:
            print(answer.status, (await answer.json())["companyName"])


asyncio.run(main())
