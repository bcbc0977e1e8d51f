var o=e=>self.postMessage(e);self.addEventListener("message",e=>{e.data.kind==="load"&&o({kind:"failed",message:"the module is not part of this build"})});
